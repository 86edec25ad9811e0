import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Ir } from "./ir.ts";

/** JSON with sorted keys and no white space: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isRecord(member) ? sorted(member) : member,
  );
}

/** The sha256 of a text, in hexadecimal. */
export function sha256(text: string): string {
  return bytesToHex(digest(utf8ToBytes(text)));
}

/** The hash of a graph: of all that it means, so without places and without the text itself. */
export function hashIr(ir: Omit<Ir, "hash">): string {
  const { source: _source, ...meaning } = ir;
  return sha256(canonicalJson(withoutSpans({ ...meaning, hash: undefined })));
}

/** The same tree without spans. A JSON schema is left as it is: its keys are the user's, and one may be called `span`. */
export function withoutSpans(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSpans);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "span");
  return Object.fromEntries(
    kept.map(([key, member]) => [key, key === "output" ? member : withoutSpans(member)]),
  );
}

function sorted(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
