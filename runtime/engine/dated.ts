import type { LogRecord, RecordBody } from "../records/records.ts";

/** What was decided, as a record of the log: no copy, which would cost a twentieth of a step. The way back has the same one. */
export function dated(body: RecordBody, seq: number, at: number): LogRecord {
  const record: RecordBody & { seq?: number; at?: number } = body;
  record.seq = seq;
  record.at = at;
  return record as LogRecord;
}
