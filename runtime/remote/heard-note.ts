/** Finds out whether a note from another process is in the log already, after a crash in between. */
import type { LogRecord } from "../records/records.ts";

export function isHeard(records: readonly LogRecord[], note: number): boolean {
  return records.some((record) => record.kind === "steer" && record.note === note);
}

export function isAborted(records: readonly LogRecord[], since: number): boolean {
  return records.some(
    (record) => record.kind === "control" && record.verb === "abort" && record.at >= since,
  );
}
