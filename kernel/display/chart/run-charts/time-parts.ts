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

/** `3 d 4 h`, `2 h 5 min`; below an hour as `durationText` writes it. */
export function longText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return durationText(seconds * 1_000);
  const hours = Math.round(minutes / 60);
  if (hours < 48) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
