import type { LogRecord } from "../records.ts";
import type { PackedRecord } from "./pack.ts";
import type { SummaryUpdate } from "./run-store.ts";
import type { RunChange, SegmentRow } from "./tables.ts";

/** Text beyond this goes into a further row; far below what SQLite and a JavaScript string can hold. */
const segmentLengthMax = 4_000_000;

/** Records up to `lastSeq` as rows, most often one. */
export function toSegments(pending: readonly PackedRecord[], lastSeq: number): SegmentRow[] {
  let firstSeq = lastSeq - pending.length + 1;
  return chunks(pending.map((record) => record.text)).map((texts) => {
    const segment = {
      firstSeq,
      lastSeq: firstSeq + texts.length - 1,
      records: `[${texts.join(",")}]`,
    };
    firstSeq += texts.length;
    return segment;
  });
}

function chunks(texts: readonly string[]): string[][] {
  const all: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    if (length + text.length > segmentLengthMax) {
      all.push([]);
      length = 0;
    }
    all.at(-1)?.push(text);
    length += text.length;
  }
  return all;
}

/** How the run stands after its latest record. */
export function changeOf(latest: { record: LogRecord; summary: SummaryUpdate }): RunChange {
  const { record, summary } = latest;
  return {
    updatedAt: record.at,
    status: summary.status,
    reason: summary.reason ?? null,
    steps: summary.steps,
    usage: JSON.stringify(summary.usage),
    error: summary.error === undefined ? null : JSON.stringify(summary.error),
    lastSeq: record.seq,
  };
}
