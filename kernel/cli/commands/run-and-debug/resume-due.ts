/** `madrigal resume --due`: continues every run whose time has come, until it sleeps again, waits or ends. */
import {
  type DrivenRun,
  type RunSummary,
  type Session,
  shortRunId,
} from "../../../../runtime/index.ts";
import { counted } from "../../../display/visible.ts";
import { EXIT, exitCodeOf } from "../../../exit-codes.ts";
import { type CommandFault, faultJson, faultText, toFault } from "../../fault.ts";
import { timeText } from "../../numbers.ts";
import { openToDrive } from "../../open-to-drive.ts";
import { paintFor, print, printJson, tell } from "../../output.ts";
import { type FollowStopSignal, followRun } from "../../run/follow-run.ts";

interface DueRun {
  readonly runId: string;
  readonly graph: string;
  readonly dueAt: number;
}

/** The state of a run after it was resumed, or the reason why it could not be. */
interface Resumed extends DueRun {
  readonly status: string;
  readonly steps: number;
  readonly next: number | undefined;
  readonly fault?: CommandFault;
  readonly signal?: FollowStopSignal | undefined;
}

/** The exit code: 1 where a run failed or could not go on. */
export async function resumeDue(
  session: Session,
  { isJson }: { readonly isJson: boolean },
): Promise<number> {
  const resumed: Resumed[] = [];
  for (const due of dueRuns(session)) {
    const one = await continueDueRun(session, due);
    resumed.push(one);
    if (!isJson) print(lineOf(one));
    if (one.fault !== undefined) tell(faultText(one.fault, paintFor(process.stderr)));
    if (one.signal !== undefined) break;
  }
  if (isJson) printJson({ resumed: resumed.map(toJson) });
  else if (resumed.length === 0) print("no run is due");
  await session.close();
  const signal = resumed.at(-1)?.signal;
  if (signal !== undefined) return exitCodeOf(signal);
  const isWrong = resumed.some(({ status, fault }) => fault !== undefined || status === "failed");
  return isWrong ? EXIT.wrong : EXIT.done;
}

/**
 * Returns the runs whose time has come, the longest overdue first. A run that a person paused is
 * not among them.
 */
function dueRuns(session: Session): readonly DueRun[] {
  const now = Date.now();
  return session
    .list()
    .filter((run) => run.owner === undefined && isLeft(run))
    .flatMap(({ runId, graph }) => {
      const { dueAt } = session.open(runId);
      return dueAt === undefined || dueAt > now ? [] : [{ runId, graph, dueAt }];
    })
    .sort((a, b) => a.dueAt - b.dueAt);
}

/**
 * The reasons of a pause that came of the end of the process or of sleep. Ctrl-C (SIGINT) is a
 * person's decision and not among them.
 */
const LEFT: readonly string[] = ["sleeping", "closed", "SIGTERM"];

function isLeft({ status, reason = "" }: RunSummary): boolean {
  return (
    status === "running" || status === "waiting" || (status === "paused" && LEFT.includes(reason))
  );
}

async function continueDueRun(session: Session, due: DueRun): Promise<Resumed> {
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

/** Time alone goes on with it: nobody needs to stay for that. */
function restIfAsleep(run: DrivenRun): void {
  // The code that follows the run reports its failure.
  if (run.sleepsUntil !== undefined) run.leave("sleeping").catch(() => {});
}

function lineOf({ runId, graph, dueAt, steps, status, next }: Resumed): string {
  const did = counted(steps, "step");
  const until = next === undefined ? "" : `, next ${timeText(next)} UTC`;
  return `${shortRunId(runId)} ${graph}, due ${timeText(dueAt)} UTC: ${did}, ${status}${until}`;
}

function toJson({ runId, graph, dueAt, steps, status, next, fault }: Resumed) {
  return {
    run_id: runId,
    graph,
    due_at: new Date(dueAt).toISOString(),
    steps,
    status,
    next_at: next === undefined ? null : new Date(next).toISOString(),
    ...(fault === undefined ? {} : { error: faultJson(fault) }),
  };
}
