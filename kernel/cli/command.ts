/** Declares what a command is: its options, its arguments and the function that runs it. */
import type { CommandCall, Syntax } from "./arguments.ts";
import type { CommandFault } from "./fault.ts";

/** One command of the command line. */
export interface CliCommand extends Syntax {
  /** Does it; resolves with the exit code. */
  run(call: CommandCall): Promise<number>;
  /** With `--json`: the document that is printed when it throws; `{ error }` where the command says nothing. */
  failed?(fault: CommandFault): Readonly<Record<string, unknown>>;
}

/** The help of a command. */
export interface CommandHelp {
  /** One line, in the imperative, of at most 70 characters. */
  readonly summary: string;
  /** Each form of the call, without `madrigal`. */
  readonly usage: readonly string[];
  /** Sentences about arguments and options. */
  readonly details?: readonly string[];
  /** Two calls, without `madrigal`. */
  readonly examples: readonly [string, string];
}
