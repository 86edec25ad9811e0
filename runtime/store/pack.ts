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
  return pack(record, { level: 0, stored: new Map() }) ?? { text, large: [] };
}

/** The records of a segment; `load` gives the JSON text behind a hash. */
export function unpackRecords(text: string, load: (hash: string) => string): LogRecord[] {
  const records: LogRecord[] = JSON.parse(text);
  if (!text.includes(mark)) return records;
  return records.map((record) => putBack(record, { level: 0, load }) as LogRecord);
}

interface Place {
  readonly level: number;
  /** Of this record: what it holds twice is stored once. */
  readonly stored: Map<unknown, LargeValue>;
}

/** JSON text made of the texts of the parts, so that each is written once however deep it stands. Undefined where JSON leaves it out. */
function pack(given: unknown, place: Place): PackedRecord | undefined {
  const value = jsonOf(given);
  const known = place.stored.get(value);
  if (known !== undefined) return referenceTo(known, []);
  const packed = place.level < levelsMax ? packParts(value, place) : leaf(value);
  // The record itself stays; a value that looks like a reference goes out too, so that reading can't mistake it.
  const goesOut = place.level > 0 && packed && (isReference(value) || isLarge(packed.text));
  if (!goesOut) return packed;
  // What was taken out of it stands in it again.
  for (const [part, inner] of place.stored) {
    if (packed.large.includes(inner)) place.stored.delete(part);
  }
  const large = hashed(JSON.stringify(value));
  place.stored.set(value, large);
  return referenceTo(large, [large]);
}

/** What JSON writes of a value: of one with a `toJSON`, what that gives. */
function jsonOf(value: unknown): unknown {
  const has = typeof value === "object" && value !== null && "toJSON" in value;
  return has ? JSON.parse(JSON.stringify(value)) : value;
}

function leaf(value: unknown): PackedRecord | undefined {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? undefined : { text, large: [] };
}

function packParts(value: unknown, { level, stored }: Place): PackedRecord | undefined {
  if (typeof value !== "object" || value === null) return leaf(value);
  const large: LargeValue[] = [];
  const textOf = (part: unknown): string | undefined => {
    const packed = pack(part, { level: level + 1, stored });
    if (packed !== undefined) large.push(...packed.large);
    return packed?.text;
  };
  const text = Array.isArray(value) ? itemsText(value, textOf) : membersText(value, textOf);
  return { text, large };
}

type TextOf = (part: unknown) => string | undefined;

function itemsText(items: readonly unknown[], textOf: TextOf): string {
  return `[${items.map((item) => textOf(item) ?? "null").join(",")}]`;
}

function membersText(value: object, textOf: TextOf): string {
  const members = Object.entries(value).flatMap(([key, part]) => {
    const text = textOf(part);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${members.join(",")}}`;
}

function referenceTo({ hash, bytes }: LargeValue, large: readonly LargeValue[]): PackedRecord {
  return { text: JSON.stringify({ $artifact: hash, bytes: bytes.length }), large };
}

function hashed(text: string): LargeValue {
  const bytes = Buffer.from(text);
  return { hash: createHash("sha256").update(bytes).digest("hex"), bytes };
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
