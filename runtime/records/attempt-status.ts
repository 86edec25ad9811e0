/** Says how a node run stands after an attempt of it ended without a commit, in the words of the view `node_runs`. */
import type { AttemptRecord } from "./records.ts";

/** What follows a failed attempt; `resume` where the attempt was given up with its run. */
type NextOfAttempt = AttemptRecord["next"] | "resume";

/** The one table that the timeline, the drawing of a run and the SQL views read. */
export const STATUS_AFTER_ATTEMPT = {
  retry: "ready",
  repair: "ready",
  again: "ready",
  resume: "ready",
  fail: "failed",
  "go-on": "failed",
  skip: "skipped",
} as const satisfies Readonly<Record<NextOfAttempt, string>>;
