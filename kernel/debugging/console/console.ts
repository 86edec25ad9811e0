/** Declares what a debugging session works on, and how it ends. */
import type { Debugger, Explored, ExploreOptions, Session, Stop } from "../../../runtime/index.ts";
import type { Painter } from "../../paint.ts";

export interface Console {
  readonly session: Session;
  /** The run that is debugged now, one of `runs`. */
  debug: Debugger;
  /** The run of the session and those forked since; people count them from 1. */
  readonly runs: Debugger[];
  /** Runs the graph of the file in all orders; absent for a stored run. */
  readonly explore?: ((options: ExploreOptions) => Explored) | undefined;
  readonly paint: Painter;
  /** Says from now on what its breakpoints could not be asked. */
  follow(debug: Debugger): void;
  /** Shows text. */
  say(text: string): void;
  /** Moves the run and tells where it has come to. */
  move(how: (debug: Debugger) => Promise<Stop>): Promise<void>;
}

/** A command of the debugger. */
export interface DebugCommand {
  /** The first is its name, the others are short for it. */
  readonly names: readonly [string, ...string[]];
  readonly usage?: string;
  readonly summary: string;
  /** `rest` is what follows its name. */
  run(console: Console, rest: string): Promise<void> | void;
}
