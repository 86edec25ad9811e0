/** Lists the statuses of a run, in the order of its life. */
import type { RunStatus } from "../runtime/index.ts";

/** How a run may stand, in the order in which it does. */
export const RUN_STATUSES: readonly RunStatus[] = [
  "created",
  "running",
  "waiting",
  "paused",
  "succeeded",
  "failed",
  "aborted",
];
