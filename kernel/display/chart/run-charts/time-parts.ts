/** Holds what the charts of a run over time share. */
import { durationText } from "../../numbers.ts";

/** The statuses of a node run, in the order of legends. */
export const STATUSES = [
  "succeeded",
  "failed",
  "skipped",
  "aborted",
  "running",
  "ready",
  "stale",
] as const;

/** The greatest number of node runs in a chart of bars; more can't be told apart. */
export const NODE_RUNS_MAX = 400;

/** `1.2 s`, or a dash for what is not known. */
export function secondsText(seconds: number | null): string {
  return seconds === null ? "-" : durationText(seconds * 1_000);
}
