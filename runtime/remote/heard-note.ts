/** Whether what somebody said from elsewhere is in the log already: a process may have died between hearing it and saying so. */
import type { LogRecord } from "../records/records.ts";

export function isHeard(records: readonly LogRecord[], note: number): boolean {
  return records.some((record) => record.kind === "steer" && record.note === note);
}

export function isAborted(records: readonly LogRecord[], since: number): boolean {
  return records.some(
    (record) => record.kind === "control" && record.verb === "abort" && record.at >= since,
  );
}
