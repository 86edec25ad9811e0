/** Lists the exit codes of commands. */
import { constants } from "node:os";

/** The exit codes of the command, by what each tells its caller. */
export const EXIT = {
  done: 0,
  /** The program, the run or an expectation is wrong. */
  wrong: 1,
  /** The call is wrong. */
  call: 2,
  /** The run waits for an answer. */
  waits: 3,
  /** Something needed is not installed. */
  missing: 4,
  /** Madrigal itself is at fault. */
  fault: 70,
} as const;

/** Returns the exit code of a signal, as shells count it. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
