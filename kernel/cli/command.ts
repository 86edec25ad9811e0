/** Declares what a command is: its options, its arguments and the function that runs it. */
import type { Call, Syntax } from "./arguments.ts";
import type { Fault } from "./fault.ts";

/** One command of the command line. */
export interface Command extends Syntax {
  /** Does it; resolves with the exit code. */
  run(call: Call): Promise<number>;
  /** With `--json`: the document that is printed when it throws; `{ error }` where the command says nothing. */
  failed?(fault: Fault): Readonly<Record<string, unknown>>;
}
