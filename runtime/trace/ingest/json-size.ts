/**
 * Measures how long the JSON of a value is, and how it begins, without writing it: a list that grows with each step would
 * otherwise be written whole at each step, only to find that it is too long for a row.
 */
import { isFrozenJson } from "../../state/json.ts";

/** JSON that DuckDB can read: half of a surrogate pair is an error to its parser, for every row of a query. */
export function stringify(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return text.includes("\\ud") ? text.replaceAll(HALF_PAIR, "$1\\ufffd") : text;
}

// `JSON.stringify` escapes only halves; an escape is one behind an even number of backslashes.
const HALF_PAIR = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** Of what the log shares between its records, which is frozen: the bytes of its JSON. */
const known = new WeakMap<object, number>();

/** The same, where it is known already. */
export function knownBytes(value: unknown): number | undefined {
  return typeof value === "object" && value !== null ? known.get(value) : undefined;
}

/** The bytes of a value's JSON. */
export function jsonBytes(value: unknown): number {
  if (!isComposite(value)) return Buffer.byteLength(stringify(value));
  const before = known.get(value);
  if (before !== undefined) return before;
  const bytes = Array.isArray(value) ? itemsBytes(value) : membersBytes(value);
  if (isFrozenJson(value)) known.set(value, bytes);
  return bytes;
}

/** The first characters of a value's JSON. */
export function jsonHead(value: unknown, length: number): string {
  if (!isComposite(value)) return stringify(value).slice(0, length);
  const isArray = Array.isArray(value);
  const parts = isArray ? value.entries() : membersOf(value);
  let text = isArray ? "[" : "{";
  let separator = "";
  for (const [key, part] of parts) {
    if (text.length >= length) break;
    text += isArray ? separator : `${separator}${stringify(key)}:`;
    text += jsonHead(part, Math.max(0, length - text.length));
    separator = ",";
  }
  return `${text}${isArray ? "]" : "}"}`.slice(0, length);
}

/** An object whose JSON is made of its parts; of one with `toJSON` it is not. */
function isComposite(value: unknown): value is object {
  return typeof value === "object" && value !== null && !("toJSON" in value);
}

const PUNCTUATION = 1;

function itemsBytes(items: readonly unknown[]): number {
  let bytes = 2 + Math.max(0, items.length - 1) * PUNCTUATION;
  for (const item of items) bytes += jsonBytes(item);
  return bytes;
}

function membersBytes(value: object): number {
  const members = membersOf(value);
  let bytes = 2 + Math.max(0, members.length - 1) * PUNCTUATION;
  for (const [key, member] of members) bytes += jsonBytes(key) + PUNCTUATION + jsonBytes(member);
  return bytes;
}

/** Returns the members of an object that JSON writes. */
function membersOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(
    ([, member]) =>
      member !== undefined && typeof member !== "function" && typeof member !== "symbol",
  );
}
