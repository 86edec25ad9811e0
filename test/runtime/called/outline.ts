import type { LogRecord, RecordBody } from "../../../runtime/records/records.ts";

/** A line a record; those of called graphs further in. */
export function outline(records: readonly LogRecord[]): string {
  return records.map((record) => lineOf(record)).join("\n");
}

function lineOf(record: RecordBody): string {
  switch (record.kind) {
    case "sub":
      return `  ${lineOf(record.record)}`;
    case "start":
      return `start ${record.node} ${record.key}`;
    case "commit":
      return `commit ${record.step} ${record.node}`;
    case "attempt":
      return `attempt ${record.node} ${record.next}: ${record.failure.message}`;
    case "control":
      return record.verb;
    case "end":
      return `end ${record.status} ${record.reason}`;
    default:
      return record.kind;
  }
}
