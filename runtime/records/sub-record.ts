/** Records of called graphs stand in those of the graphs that call them. */
import type { RecordBody, SubRecord } from "./records.ts";

/** The record itself, without the node runs that it is wrapped in. */
export function innermost<R extends RecordBody>(record: R): Exclude<RecordBody, SubRecord> {
  let inner: RecordBody = record;
  while (inner.kind === "sub") inner = inner.record;
  return inner;
}

/** The node runs that a record is wrapped in, outermost first. */
export function callersOf(record: RecordBody): readonly number[] {
  const ids: number[] = [];
  for (let inner = record; inner.kind === "sub"; inner = inner.record) ids.push(inner.id);
  return ids;
}
