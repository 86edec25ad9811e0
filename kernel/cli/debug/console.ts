/** What a debugging session works on, and how it ends. */
import type { Debugger, Session, Stop } from "../../../runtime/index.ts";

export interface Console {
  readonly session: Session;
  /** The run that is debugged now: `fork` makes it another one. */
  debug: Debugger;
  /** Shows text. */
  say(text: string): void;
  /** Moves the run and tells where it has come to. */
  move(how: (debug: Debugger) => Promise<Stop>): Promise<void>;
}

/** A command of the debugger. */
export interface DebugCommand {
  /** The first is what help shows, the others are short for it. */
  readonly names: readonly [string, ...string[]];
  readonly usage?: string;
  readonly summary: string;
  /** `rest` is what follows its name. */
  run(console: Console, rest: string): Promise<void> | void;
}
