/** Checks that no other run of a thread holds its fields (M5350). */

import { RunError } from "../../failure.ts";
import { shortRunId } from "../../run-names.ts";
import type { RunSummary } from "../run-store.ts";

/** M5350 where another run of the thread is under way. */
export function heldThreadError(
  { runId, threadId }: Pick<RunSummary, "runId" | "threadId">,
  runs: readonly RunSummary[],
): RunError | undefined {
  const holder = runs.find((run) => run.runId !== runId && isUnderWay(run));
  if (holder === undefined) return undefined;
  return new RunError(
    "M5350",
    `thread \`${threadId}\` is held by run \`${shortRunId(holder.runId)}\`, which is ${holder.status}`,
    {
      hint: `wait for its end, or give it up: \`madrigal abort ${shortRunId(holder.runId)}\`; another thread is another \`thread\``,
      runId,
    },
  );
}

/** Returns whether a run holds its thread. */
export function isUnderWay({ status, owner }: RunSummary): boolean {
  // One that was never more than created lost its process before its first record.
  if (status === "created") return owner !== undefined;
  return status === "running" || status === "waiting" || status === "paused";
}
