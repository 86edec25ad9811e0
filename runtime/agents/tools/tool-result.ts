/** Turns what a tool returned into the result that a model reads. */
import { type Json, toJson } from "../values/json.ts";
import { byteLength, headOf } from "../values/text-size.ts";
import { withoutUnseenIn } from "../values/unseen-characters.ts";
import { isStateful } from "./tool-caller.ts";
import { mediaParts, withoutLargeMedia } from "./tool-media.ts";

/** The sizes of a result in the log and in what a model is shown, in bytes. */
const LOG_BYTES_MAX = 256 * 1024;
const MODEL_BYTES_MAX = 64 * 1024;

/** The result of a tool as JSON, with notes on what had to be changed. */
export interface ToolResult {
  readonly value: Json;
  readonly notes: readonly string[];
}

/**
 * The result as JSON, for a model: what JSON has no word for becomes text, and what nobody would see is taken out. Notes say
 * where, and how much.
 */
export function toolResult(returned: unknown): ToolResult {
  if (returned === undefined) return { value: null, notes: [] };
  const { value: whole, faults } = toJson(returned);
  const { value, taken } = withoutUnseenIn(whole);
  const unseen = taken === 0 ? [] : [`${taken} characters that nobody would see were taken out`];
  const notes = faults.map(({ path, found }) => {
    const place = path === "" ? "the result" : `\`${path}\``;
    return `${place} was ${found}, which is not JSON; it is shown as text`;
  });
  return { value, notes: [...unseen, ...notes.slice(0, NOTES_MAX)] };
}

const NOTES_MAX = 5;

/**
 * The result as it stands in the log: itself, `{ $note, value }` when it had to be changed, `{ $cut, head, hash }` with its
 * size in bytes when it is larger than what the log keeps. `keep` keeps the text of such a result and returns its hash.
 */
export function stored({ value: whole, notes }: ToolResult, keep?: KeepText): Json {
  if (isStateful(whole))
    return {
      $state: whole.$state,
      value: stored({ value: whole.value as Json, notes }, keep),
    } as Json;
  const value = withoutLargeMedia(whole);
  if (mediaParts(value) !== undefined) return value;
  const text = toolResultText(value);
  // No character of a text has more than three bytes.
  const bytes = text.length * 3 <= LOG_BYTES_MAX ? text.length : byteLength(text);
  const kept: Json = bytes <= LOG_BYTES_MAX ? value : cut(text, bytes, keep);
  return notes.length === 0 ? kept : { $note: notes, value: kept };
}

/** Keeps a text, and returns the hash of its bytes. */
export type KeepText = (text: string) => string;

function cut(text: string, bytes: number, keep: KeepText | undefined): Json {
  const head = headOf(text, LOG_BYTES_MAX);
  return keep === undefined ? { $cut: bytes, head } : { $cut: bytes, head, hash: keep(text) };
}

/** A stored result as the model is shown it: a text, or JSON that is small enough. */
export type ShownToolResult =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "json"; readonly value: Json };

/** Returns a stored result as a model sees it, with notes on what was cut or changed. */
export function showResult(result: unknown): ShownToolResult {
  const { value, notes } = unpack(result);
  const cut = cutOf(value);
  const text = cut === undefined ? toolResultText(value) : cut.head;
  const bytes = cut === undefined ? byteLength(text) : cut.$cut;
  if (bytes <= MODEL_BYTES_MAX && notes.length === 0) {
    if (value === null) return { type: "text", value: "(the tool returned nothing)" };
    if (value === "") return { type: "text", value: "(the tool returned an empty text)" };
    return typeof value === "string" ? { type: "text", value } : { type: "json", value };
  }
  const head = headOf(text, MODEL_BYTES_MAX);
  const cutNote =
    bytes > MODEL_BYTES_MAX
      ? [`cut: the first ${byteLength(head)} of ${bytes} bytes are shown`]
      : [];
  const remarks = [...notes, ...cutNote].map((note) => `[${note}]`);
  return { type: "text", value: [head, ...remarks].join("\n") };
}

/**
 * Returns the whole text of a stored result. One that is too long for the log is read by its hash; where it was not kept, its
 * beginning is returned with the size of the whole in bytes.
 */
export function loggedText(
  result: unknown,
  bytesOf?: (hash: string) => Uint8Array,
): { readonly text: string; readonly cut?: number } {
  const { value } = unpack(result);
  const cut = cutOf(value);
  if (cut === undefined) return { text: toolResultText(value) };
  const { $cut, head, hash } = cut;
  if (hash === undefined || bytesOf === undefined) return { text: head, cut: $cut };
  return { text: new TextDecoder().decode(bytesOf(hash)) };
}

function unpack(result: unknown): ToolResult {
  const { value } = toJson(isStateful(result) ? result.value : result);
  if (isRecord(value) && isStrings(value.$note) && value.value !== undefined) {
    return { value: value.value, notes: value.$note };
  }
  return { value, notes: [] };
}

interface CutResult {
  readonly $cut: number;
  readonly head: string;
  readonly hash?: string;
}

function cutOf(value: Json): CutResult | undefined {
  if (!isRecord(value)) return undefined;
  const { $cut, head, hash } = value;
  if (typeof $cut !== "number" || typeof head !== "string") return undefined;
  return typeof hash === "string" ? { $cut, head, hash } : { $cut, head };
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStrings(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function toolResultText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
