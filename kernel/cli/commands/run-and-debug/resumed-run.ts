/** Tells what came of a run that time went on with, as a line and as JSON. */
import { type DrivenRun, type DueRun, shortRunId } from "../../../../runtime/index.ts";
import { counted } from "../../../display/visible.ts";
import { type CommandFault, faultJson } from "../../fault.ts";
import { timeText } from "../../numbers.ts";
import type { FollowStopSignal } from "../../run/follow-run.ts";

/** The state of a run after it was resumed, or the reason why it could not be. */
export interface ResumedRun extends DueRun {
  readonly status: string;
  readonly steps: number;
  readonly next: number | undefined;
  readonly fault?: CommandFault;
  readonly signal?: FollowStopSignal | undefined;
}

/** Time alone goes on with it: nobody needs to stay for that. */
export function restIfAsleep(run: DrivenRun): void {
  // The code that follows the run reports its failure.
  if (run.sleepsUntil !== undefined) run.leave("sleeping").catch(() => {});
}

export function dueLine({ runId, graph, dueAt, steps, status, next }: ResumedRun): string {
  const did = counted(steps, "step");
  const until = next === undefined ? "" : `, next ${timeText(next)} UTC`;
  return `${shortRunId(runId)} ${graph}, due ${timeText(dueAt)} UTC: ${did}, ${status}${until}`;
}

export function dueJson({ runId, graph, dueAt, steps, status, next, fault }: ResumedRun) {
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
