/** Writes payloads as the trace keeps them: redacted, well-formed and of bounded size. The log has them whole. */
import { isRecord } from "../../../dsl/index.ts";
import { jsonBytes, jsonHead, knownBytes, stringify } from "./json-size.ts";
import { type RunBlobs, TEXT_LENGTH_MIN } from "./run-blobs.ts";

/** Hides secrets in a JSON value; see runtime/redaction/redact.ts. */
export type Redact = (value: unknown) => unknown;

/** A payload of more UTF-8 bytes than this is cut. */
export const PAYLOAD_BYTES_MAX = 65_536;
const HEAD_LENGTH = 4_096;
/** Of a payload that is too big, longer texts are cut. */
const CUT_LENGTH_MIN = 16_384;

/**
 * The replacement of a value that was too big: its size, the beginning of its JSON, and the hash of the blob that has
 * all of it.
 */
interface CutValue {
  readonly $cut: number;
  readonly head: string;
  readonly blob?: string;
}

/** The options for writing payloads: the redaction of secrets, and the blobs of the run. */
export interface TraceInto {
  readonly redact: Redact;
  readonly blobs?: RunBlobs;
}

/** The JSON text of a payload. Too big an object loses its big members first, so that its shape stays. */
export function toTraceJson(payload: unknown, { redact, blobs }: TraceInto): string | null {
  return payload === undefined ? null : boundedText(redact(payload), blobs);
}

/** The cells of a payload; `blob` or `has_blobs` where a part is stored elsewhere. */
export interface PayloadCells {
  readonly payload: string | null;
  readonly blob?: string;
  readonly has_blobs?: true;
}

/** The cells of a call's payload: what one call says, the next one is told, so that long texts in it are blobs. */
export function payloadCells(payload: unknown, { redact, blobs }: TraceInto): PayloadCells {
  if (payload === undefined) return { payload: null };
  const value = redact(payload);
  const cells = blobs === undefined ? undefined : referringCells(value, blobs);
  return cells ?? { payload: boundedText(value, blobs) };
}

/** The same of what a model is asked: too big, it loses its longest texts first, so that messages stay messages. */
export function requestCells(request: unknown, { redact, blobs }: TraceInto): PayloadCells {
  if (blobs === undefined) return payloadCells(request, { redact });
  const value = redact(request);
  const cells = referringCells(value, blobs) ?? referringCells(withCutTexts(value, blobs), blobs);
  return cells ?? { payload: boundedText(value, blobs) };
}

/** Nothing for what is too big. */
function referringCells(value: unknown, blobs: RunBlobs): PayloadCells | undefined {
  if (lengthLeft(value, PAYLOAD_BYTES_MAX) < 0) return undefined;
  const json = toBlobJson(value, blobs);
  if (json === undefined) {
    const text = fittingText(value);
    return text === undefined ? undefined : { payload: text };
  }
  if (json.bytes > PAYLOAD_BYTES_MAX) return undefined;
  const [blob, ...others] = json.hashes;
  const isOne = blob !== undefined && others.length === 0;
  return { payload: json.text, ...(isOne ? { blob } : { has_blobs: true }) };
}

function withCutTexts(value: unknown, blobs: RunBlobs): unknown {
  if (typeof value === "string")
    return value.length > CUT_LENGTH_MIN ? cutValue(value, blobs) : value;
  return mapMembers(value, (member) => withCutTexts(member, blobs));
}

/** The same shape with other members; what has none is itself. */
function mapMembers(value: unknown, change: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (!isRecord(value) || "toJSON" in value) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}

function boundedText(value: unknown, blobs: RunBlobs | undefined): string {
  const text = fittingText(value);
  if (text !== undefined) return text;
  if (!isRecord(value)) return stringify(cutValue(value, blobs));
  const members = Object.entries(value).map(([name, member]) => [name, shortened(member, blobs)]);
  return fittingText(Object.fromEntries(members)) ?? stringify(cutValue(value, blobs));
}

/** A value under its name: names like `api_key` say that the value is a secret. */
export function redactUnder(name: unknown, value: unknown, redact: Redact): unknown {
  if (value === undefined) return undefined;
  if (typeof name !== "string") return redact(value);
  const redacted = redact({ [name]: value });
  return isRecord(redacted) ? redacted[name] : redacted;
}

/** The value itself, or what stands for it when it is too big. */
export function shortened(value: unknown, blobs: RunBlobs | undefined): unknown {
  return value !== undefined && isTooBig(value) ? cutValue(value, blobs) : value;
}

function cutValue(value: unknown, blobs: RunBlobs | undefined): CutValue {
  const bytes = jsonBytes(value);
  const cut = { $cut: bytes, head: jsonHead(value, HEAD_LENGTH).toWellFormed() };
  const blob = blobs?.ofCut(value, bytes);
  return blob === undefined ? cut : { ...cut, blob: blob.hash };
}

function isTooBig(value: unknown): boolean {
  // A UTF-16 unit is at most six characters of JSON.
  if (typeof value === "string" && value.length * 6 + 2 <= PAYLOAD_BYTES_MAX) return false;
  if (typeof value !== "object" && typeof value !== "string") return false;
  return (knownBytes(value) ?? 0) > PAYLOAD_BYTES_MAX || fittingText(value) === undefined;
}

/** The JSON of a value that is not too big. */
function fittingText(value: unknown): string | undefined {
  // One that is surely too big is not written out to learn that.
  if (lengthLeft(value, PAYLOAD_BYTES_MAX) < 0) return undefined;
  const text = stringify(value);
  // A UTF-16 unit is at most three bytes: most texts need no count.
  const fits = text.length * 3 <= PAYLOAD_BYTES_MAX || Buffer.byteLength(text) <= PAYLOAD_BYTES_MAX;
  return fits ? text : undefined;
}

/** Returns a lower bound of the length that is left after a value's JSON; stops once nothing is. */
function lengthLeft(value: unknown, length: number): number {
  if (typeof value === "string") return length - value.length - 2;
  if (typeof value !== "object" || value === null) return length;
  const bytes = knownBytes(value);
  if (bytes !== undefined) return length - bytes;
  let left = length - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1)
      left = lengthLeft(value[index], left - (index === 0 ? 0 : 1));
    return left;
  }
  for (const [key, part] of Object.entries(value)) {
    if (left < 0) return left;
    if (part !== undefined) left = lengthLeft(part, left - key.length - 3);
  }
  return left;
}

/** Raw, it is in no JSON text: there it would be an escape. As SQL has it: `chr(1)`. */
const MARK = "\u0001";

/** The stored text of a payload, the blobs that it refers to, and the number of bytes of its JSON. */
interface BlobJson {
  readonly text: string;
  readonly hashes: ReadonlySet<string>;
  readonly bytes: number;
}

/** Undefined for a value without a long text. */
export function toBlobJson(value: unknown, blobs: RunBlobs): BlobJson | undefined {
  if (!hasLongText(value)) return undefined;
  let inBlobs = 0;
  const hashes = new Set<string>();
  const refer = (long: string): string => {
    const { hash, bytes } = blobs.ofText(long);
    const text = `${MARK}${hash}${MARK}`;
    hashes.add(hash);
    inBlobs += bytes - text.length;
    return text;
  };
  const text = referringText(value, refer);
  return { text, hashes, bytes: Buffer.byteLength(text) + inBlobs };
}

function hasLongText(value: unknown): boolean {
  if (typeof value === "string") return value.length >= TEXT_LENGTH_MIN;
  if (!isComposite(value)) return false;
  for (const key of Object.keys(value)) if (hasLongText(memberOf(value, key))) return true;
  return false;
}

function referringText(value: unknown, refer: (long: string) => string): string {
  if (typeof value === "string" && value.length >= TEXT_LENGTH_MIN) return refer(value);
  if (!isComposite(value)) return stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => referringText(item, refer)).join(",")}]`;
  const members = Object.keys(value).flatMap((key) => {
    const member = memberOf(value, key);
    return member === undefined ? [] : [`${keyText(key)}:${referringText(member, refer)}`];
  });
  return `{${members.join(",")}}`;
}

/** Most names are plain, and are written as they are. */
function keyText(key: string): string {
  return /^\w+$/.test(key) ? `"${key}"` : stringify(key);
}

/** An object whose JSON is made of its parts. */
function isComposite(value: unknown): value is object {
  return typeof value === "object" && value !== null && !("toJSON" in value);
}

function memberOf(value: object, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key];
}
