/** Turns a decided record into a record of the log. */
import type { LogRecord, RecordBody } from "./records.ts";

/** Numbers and dates `body` in place: a copy would cost a twentieth of a step. The trail of snapshots holds the same object. */
export function numberRecord(
  body: RecordBody,
  { seq, at }: { readonly seq: number; readonly at: number },
): LogRecord {
  const record: RecordBody & { seq?: number; at?: number } = body;
  record.seq = seq;
  record.at = at;
  return record as LogRecord;
}
