/** Runs the work of a process and reports whatever is thrown anywhere in it. */
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { listenForStrays } from "../stray-errors.ts";
import { leave, leaveWrong } from "./exit-process.ts";
import { type CommandFault, faultText, toFault } from "./fault.ts";
import { paintFor, tell, watchOutput } from "./output.ts";

/** Does the work of a process, and tells whatever is thrown anywhere in it; the exit code. */
export async function guard(work: () => Promise<number>): Promise<number> {
  watchOutput((cause) => leaveWrong(complain(toFault(lostOutput(cause)))));
  listenForStrays((thrown) => void leave(complain(toFault(thrown))));
  process.once("beforeExit", onHalt);
  try {
    return await work();
  } catch (thrown) {
    return complain(toFault(thrown));
  }
}

/** Nothing is left that could end the work: we wait for something that will never come. */
function onHalt(): void {
  void leave(complain(toFault(new Error("the command came to a halt before its end"))));
}

// One line: where the disk is full, stderr may well be a file on it.
function lostOutput(cause: NodeJS.ErrnoException): CommandError {
  return new CommandError(
    "M7208",
    `the output can't be written: ${cause.message} (hint: make room or send it elsewhere; what a run did is kept: madrigal show last)`,
    { cause, exitCode: EXIT.wrong },
  );
}

/** Tells a fault to people, unless they know; its exit code. */
export function complain(fault: CommandFault): number {
  if (fault.isTold !== true) tell(faultText(fault, paintFor(process.stderr)));
  return fault.exitCode;
}
