/**
 * Records as text, with what is large taken out: a value above 256 KB stands in the text as
 * `{ "$artifact": sha256, "bytes": n }`, and equal large values are stored once. Nothing else of a record changes, and
 * reading puts back exactly what was written.
 */
import { createHash } from "node:crypto";
import type { LogRecord } from "../records.ts";

const inlineBytesMax = 256 * 1024;
/** Deep enough for a part of `flow[].items[].text`. Both ways look at the same levels, so deeper look-alikes stay. */
const levelsMax = 5;
const mark = '"$artifact"';

export interface LargeValue {
  readonly hash: string;
  /** Its JSON text. */
  readonly bytes: Uint8Array;
}

export interface PackedRecord {
  readonly text: string;
  readonly large: readonly LargeValue[];
}

/** One record as JSON text. */
export function packRecord(record: LogRecord): PackedRecord {
  const text = JSON.stringify(record);
  if (!isLarge(text) && !text.includes(mark)) return { text, large: [] };
  // Parsed again so that the walk sees what JSON keeps: no `undefined`, no `toJSON`.
  const { value, large } = takeOut(JSON.parse(text), 0);
  return { text: JSON.stringify(value), large };
}

/** The records of a segment; `load` gives the JSON text behind a hash. */
export function unpackRecords(text: string, load: (hash: string) => string): LogRecord[] {
  const records: LogRecord[] = JSON.parse(text);
  if (!text.includes(mark)) return records;
  return records.map((record) => putBack(record, { level: 0, load }) as LogRecord);
}

interface TakenOut {
  readonly value: unknown;
  readonly large: readonly LargeValue[];
}

function takeOut(value: unknown, level: number): TakenOut {
  const rest = level < levelsMax ? takeOutOfChildren(value, level) : { value, large: [] };
  // The record itself stays; a value that looks like a reference goes out too, so that reading can't mistake it.
  if (level > 0 && (isReference(value) || isLarge(JSON.stringify(rest.value))))
    return stored(value);
  return rest;
}

function takeOutOfChildren(value: unknown, level: number): TakenOut {
  const large: LargeValue[] = [];
  const changed = mapChildren(value, (child) => {
    const taken = takeOut(child, level + 1);
    large.push(...taken.large);
    return taken.value;
  });
  return { value: changed, large };
}

function stored(value: unknown): TakenOut {
  const bytes = Buffer.from(JSON.stringify(value));
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { value: { $artifact: hash, bytes: bytes.length }, large: [{ hash, bytes }] };
}

function putBack(
  value: unknown,
  at: { readonly level: number; readonly load: (hash: string) => string },
): unknown {
  if (at.level > 0 && isReference(value)) return JSON.parse(at.load(value.$artifact));
  if (at.level === levelsMax) return value;
  return mapChildren(value, (child) => putBack(child, { level: at.level + 1, load: at.load }));
}

function mapChildren(value: unknown, change: (child: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, change(child)]));
}

function isReference(value: unknown): value is { readonly $artifact: string } {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "$artifact");
}

function isLarge(text: string): boolean {
  // A UTF-16 unit is at most three bytes of UTF-8.
  return text.length * 3 > inlineBytesMax && Buffer.byteLength(text) > inlineBytesMax;
}
