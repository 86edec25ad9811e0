import type { LogRecord } from "../records.ts";
import { type LargeValue, packRecord, unpackRecords } from "./pack.ts";
import type { SummaryUpdate } from "./run-store.ts";
import type { RunChange, SegmentRow } from "./tables.ts";

/** Text beyond this goes into a further row; far below what SQLite and a JavaScript string can hold. */
const segmentLengthMax = 4_000_000;

/** How a store keeps records. */
export interface SegmentForm<Content> {
  /** Records up to `lastSeq`, and what is stored beside them. */
  write(records: readonly LogRecord[], lastSeq: number): Written<Content>;
  read(content: Content, load: (hash: string) => string): readonly LogRecord[];
}

export interface Written<Content> {
  readonly segments: readonly SegmentRow<Content>[];
  readonly large: readonly LargeValue[];
  /** How many characters all of this is; 0 for what is no text. */
  readonly length: number;
}

/** As JSON texts, most often one, with what is large taken out. */
export const asText: SegmentForm<string> = { write: toTexts, read: unpackRecords };

/** As they are: a log freezes what it is given. */
export const asObjects: SegmentForm<readonly LogRecord[]> = {
  write: (records, lastSeq) => ({
    segments:
      records.length === 0 ? [] : [{ firstSeq: lastSeq - records.length + 1, lastSeq, records }],
    large: [],
    length: 0,
  }),
  read: (records) => records,
};

function toTexts(records: readonly LogRecord[], lastSeq: number): Written<string> {
  const packed = records.map(packRecord);
  let firstSeq = lastSeq - records.length + 1;
  const segments = chunks(packed.map(({ text }) => text)).map((texts) => {
    const segment = {
      firstSeq,
      lastSeq: firstSeq + texts.length - 1,
      records: `[${texts.join(",")}]`,
    };
    firstSeq += texts.length;
    return segment;
  });
  const large = packed.flatMap((record) => record.large);
  const length =
    sum(packed.map(({ text }) => text.length)) + sum(large.map(({ bytes }) => bytes.length));
  return { segments, large, length };
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
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
