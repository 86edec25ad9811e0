/** Computes canonical JSON and the hash of an IR. */
import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { isRecord } from "../is-record.ts";
import type { Ir } from "./ir.ts";

/** JSON with sorted keys and no white space: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return written(value, WITH_SPANS);
}

type KeepsKey = { readonly spans: boolean };
const WITH_SPANS: KeepsKey = { spans: true };
const WITHOUT_SPANS: KeepsKey = { spans: false };

// The hash of every graph comes through here, so it makes no lists besides those of keys.
function written(value: unknown, keep: KeepsKey, alike?: Map<string, WrittenMember>): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean") return value ? "true" : "false";
  if (Array.isArray(value)) return writtenList(value, keep);
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  let members = "";
  for (const key of sortedKeys(value)) {
    const member = value[key];
    if (member === undefined || (key === "span" && !keep.spans)) continue;
    // A schema's keys are the user's, and one may be called `span`.
    const inner = key === "output" ? WITH_SPANS : keep;
    const text = isWord(key, member) ? quotedKey(member) : writtenOnce(key, member, inner, alike);
    members += `${members === "" ? "" : ","}${quotedKey(key)}:${text}`;
  }
  return `{${members}}`;
}

function writtenList(items: readonly unknown[], keep: KeepsKey): string {
  let list = "";
  const alike = items.length < alikeMin ? undefined : new Map<string, WrittenMember>();
  for (const item of items) list += `${list === "" ? "" : ","}${written(item, keep, alike)}`;
  return `[${list}]`;
}

// The nodes of a plan's graph share what they have of their agent.
const alikeMin = 8;

/** A member as the item before had it, with its text. */
interface WrittenMember {
  readonly value: unknown;
  readonly text: string;
}

function writtenOnce(
  key: string,
  value: unknown,
  keep: KeepsKey,
  alike: Map<string, WrittenMember> | undefined,
): string {
  if (alike === undefined || typeof value !== "object") return written(value, keep);
  const before = alike.get(key);
  if (before?.value === value) return before.text;
  const text = written(value, keep);
  alike.set(key, { value, text });
  return text;
}

// Few keys are put in order faster by hand than by `sort`.
const keysByHandMax = 20;

function sortedKeys(value: Readonly<Record<string, unknown>>): readonly string[] {
  const sorted = Object.keys(value);
  if (sorted.length > keysByHandMax) return sorted.sort();
  for (let next = 1; next < sorted.length; next += 1) {
    const key = sorted[next] ?? "";
    let at = next;
    for (let before = sorted[at - 1]; before !== undefined && before > key; ) {
      sorted[at] = before;
      at -= 1;
      before = sorted[at - 1];
    }
    sorted[at] = key;
  }
  return sorted;
}

function isWord(key: string, member: unknown): member is string {
  return (key === "kind" || key === "of") && typeof member === "string";
}

// The keys and kinds of the IR are few, and each stands in it a hundred times; of a person's own only so many are kept.
const keys = new Map<string, string>();
const keysMax = 500;

function quotedKey(key: string): string {
  const known = keys.get(key);
  if (known !== undefined) return known;
  const quoted = JSON.stringify(key);
  if (keys.size < keysMax) keys.set(key, quoted);
  return quoted;
}

/** The sha256 of a text, in hexadecimal. */
export function sha256(text: string): string {
  return sha256Of(text);
}

let sha256Of = (text: string): string => bytesToHex(digest(utf8ToBytes(text)));

/** Takes the platform's sha256, in hexadecimal, which is ten times as fast for long texts. */
export function useSha256(ofPlatform: (text: string) => string): void {
  sha256Of = ofPlatform;
}

/** The hash of a graph: of all that it means, so without places and without the text itself. */
export function hashIr(ir: Omit<Ir, "hash">): string {
  // A graph that is called is meant by its hash, which stands in `calls`.
  const { source: _source, graphs: _graphs, ...meaning } = ir;
  return sha256(written({ ...meaning, hash: undefined }, WITHOUT_SPANS));
}

/** The same tree without spans. A JSON schema is left as it is: its keys are the user's, and one may be called `span`. */
export function withoutSpans(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSpans);
  if (!isRecord(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (key === "span") continue;
    kept[key] = key === "output" ? value[key] : withoutSpans(value[key]);
  }
  return kept;
}
