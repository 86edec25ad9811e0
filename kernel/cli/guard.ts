import { type Fault, faultText, toFault } from "./fault.ts";
import { leave } from "./leave.ts";
import { ignoreClosedPipes, paintFor, tell } from "./output.ts";
import { listenForStrays } from "./stray-errors.ts";

/** Does the work of a process, and tells whatever is thrown anywhere in it; the exit code. */
export async function guard(work: () => Promise<number>): Promise<number> {
  ignoreClosedPipes();
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

/** Tells a fault to people, unless they know; its exit code. */
export function complain(fault: Fault): number {
  if (fault.isTold !== true) tell(faultText(fault, paintFor(process.stderr)));
  return fault.exitCode;
}
