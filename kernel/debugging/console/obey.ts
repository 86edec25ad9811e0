/** Finds the command of one line of a debugging session and runs it. */
import { Debugger, type Run, type Session } from "../../../runtime/index.ts";
import { warningText } from "../warning-text.ts";
import type { Console, DebugCommand } from "./console.ts";
import { doCommand, knownCommand } from "./debug-commands.ts";
import { stopText } from "./show.ts";

export interface Debugged {
  readonly session: Session;
  readonly run: Run;
  readonly explore?: Console["explore"];
}

/** A session about one run; `out` is where it shows things. */
export function newConsole(
  { session, run, explore }: Debugged,
  { say, paint }: Pick<Console, "say" | "paint">,
): Console {
  const debug = new Debugger(run);
  const console: Console = {
    session,
    debug,
    runs: [debug],
    explore,
    paint,
    say,
    follow(of) {
      of.watchWarnings((warning) => say(warningText(warning, of.run, paint)));
    },
    async move(how) {
      const stop = await how(console.debug);
      // A rewind says by itself where it has come to.
      if (console.debug.stop !== undefined) say(stopText(console.debug, stop, paint));
    },
  };
  console.follow(debug);
  return console;
}

/** Until a new run stands before its first step: what is asked first is asked of that. */
export async function begun({ debug }: Console): Promise<void> {
  await debug.pause();
}

/** Obeys a line; the command that it was. Throws what is wrong with it. */
export async function obey(console: Console, text: string): Promise<DebugCommand> {
  const [, word = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = knownCommand(word);
  await doCommand(command, console, rest.trim());
  return command;
}
