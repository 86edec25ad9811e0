/** `madrigal resume --due`: continues every run whose time has come, until it sleeps again, waits or ends. */
import type { DueRun, Session } from "../../../../runtime/index.ts";
import { EXIT, exitCodeOf } from "../../../exit-codes.ts";
import { faultText, toFault } from "../../fault.ts";
import { openToDrive } from "../../open-to-drive.ts";
import { paintFor, print, printJson, tell } from "../../output.ts";
import { followRun } from "../../run/follow-run.ts";
import { dueJson, dueLine, type ResumedRun, restIfAsleep } from "./resumed-run.ts";

/** The exit code: 1 where a run failed or could not go on. */
export async function resumeDue(
  session: Session,
  { isJson }: { readonly isJson: boolean },
): Promise<number> {
  const resumed: ResumedRun[] = [];
  for (const due of session.due.at(Date.now())) {
    const one = await continueDueRun(session, due);
    resumed.push(one);
    if (!isJson) print(dueLine(one));
    if (one.fault !== undefined) tell(faultText(one.fault, paintFor(process.stderr)));
    if (one.signal !== undefined) break;
  }
  if (isJson) printJson({ resumed: resumed.map(dueJson) });
  else if (resumed.length === 0) print("no run is due");
  await session.close();
  const signal = resumed.at(-1)?.signal;
  if (signal !== undefined) return exitCodeOf(signal);
  const isWrong = resumed.some(({ status, fault }) => fault !== undefined || status === "failed");
  return isWrong ? EXIT.wrong : EXIT.done;
}

async function continueDueRun(session: Session, due: DueRun): Promise<ResumedRun> {
  try {
    const { run } = await openToDrive(session, due.runId);
    const before = run.steps.length;
    const signal = await followRun(run, {
      onEvent: () => setImmediate(() => restIfAsleep(run)),
      start: () => run.resume(),
    });
    if (run.isUnderWay) await run.leave("closed");
    const { status, dueAt: next } = run;
    return { ...due, status, steps: run.steps.length - before, next, signal };
  } catch (thrown) {
    return { ...due, status: "not resumed", steps: 0, next: undefined, fault: toFault(thrown) };
  }
}
