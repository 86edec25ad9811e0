/** Converts records into the segments of a store and back, as compressed text for SQLite and as objects for memory. */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { RunError } from "../../failure.ts";
import type { LogRecord } from "../../records/records.ts";
import { damagedRecords } from "../database/sqlite-error.ts";
import type { RunChange, SegmentRow, StoredText } from "../database/tables.ts";
import type { SummaryUpdate } from "../run-store.ts";
import { type LargeValue, SegmentPacker, segmentText } from "./pack.ts";
import { unpackRecords } from "./unpack.ts";

/** Text beyond this goes into a further row: a row is read and written in one go, and nobody else has the thread meanwhile. */
const segmentLengthMax = 1_000_000;

/** The form in which a store keeps records. */
export interface SegmentForm<Content> {
  /** Records up to `lastSeq`, and what is stored beside them. */
  write(records: readonly LogRecord[], lastSeq: number): WrittenSegment<Content>;
  read(content: Content, load: (hash: string) => string): readonly LogRecord[];
}

export interface WrittenSegment<Content> {
  readonly segments: readonly SegmentRow<Content>[];
  readonly large: readonly LargeValue[];
}

/** Joins two segments that were written one after the other. */
export function joined<Content>(
  first: WrittenSegment<Content>,
  then: WrittenSegment<Content>,
): WrittenSegment<Content> {
  return {
    segments: [...first.segments, ...then.segments],
    large: [...first.large, ...then.large],
  };
}

/** As JSON texts, most often one, with what is large taken out; longer ones are compressed. */
export const asText: SegmentForm<StoredText> = {
  write: toTexts,
  read: readText,
};

/** As they are: a log freezes what it is given. */
export const asObjects: SegmentForm<readonly LogRecord[]> = {
  write: (records, lastSeq) => ({
    segments:
      records.length === 0 ? [] : [{ firstSeq: lastSeq - records.length + 1, lastSeq, records }],
    large: [],
  }),
  read: (records) => records,
};

function toTexts(records: readonly LogRecord[], lastSeq: number): WrittenSegment<StoredText> {
  const segments: SegmentRow<StoredText>[] = [];
  const large: LargeValue[] = [];
  let packer = new SegmentPacker();
  let texts: string[] = [];
  let length = 0;
  let firstSeq = lastSeq - records.length + 1;
  const close = () => {
    if (texts.length === 0) return;
    const next = firstSeq + texts.length;
    const text = segmentText(texts);
    segments.push({ firstSeq, lastSeq: next - 1, records: compress(text) });
    firstSeq = next;
    [packer, texts, length] = [new SegmentPacker(), [], 0];
  };
  for (const record of records) {
    let packed = packer.add(record);
    if (texts.length > 0 && length + packed.text.length > segmentLengthMax) {
      close();
      // What it shares is in another segment now.
      packed = packer.add(record);
    }
    texts.push(packed.text);
    large.push(...packed.large);
    length += packed.text.length;
  }
  close();
  return { segments, large };
}

/** Shorter texts would become hardly shorter. */
const compressedLengthMin = 1_024;

const compression = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};

function compress(text: string): StoredText {
  return text.length < compressedLengthMin ? text : zstdCompressSync(text, compression);
}

function readText(content: StoredText, load: (hash: string) => string): readonly LogRecord[] {
  try {
    const text = typeof content === "string" ? content : zstdDecompressSync(content).toString();
    return unpackRecords(text, load);
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw damagedRecords(error);
  }
}

/** Returns the change of the run's row after its latest record. */
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
    dueAt: summary.dueAt?.() ?? null,
  };
}
