/** Lists the statuses of a run, in the order of its life. */
import type { RunStatus } from "../runtime/index.ts";

/** The statuses of a run, in the order in which they occur. */
export const RUN_STATUSES: readonly RunStatus[] = [
  "created",
  "running",
  "waiting",
  "paused",
  "succeeded",
  "failed",
  "aborted",
];
