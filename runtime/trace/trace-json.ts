/** Payloads as the trace keeps them: redacted, well-formed and of bounded size. The log has them whole. */
import { jsonBytes, jsonHead, knownBytes, stringify } from "./json-size.ts";

/** Hides secrets in a JSON value; see runtime/redact.ts. */
export type Redact = (value: unknown) => unknown;

/** A payload of more UTF-8 bytes than this is cut. */
export const PAYLOAD_BYTES_MAX = 65_536;
const HEAD_LENGTH = 4_096;

/** What stands for a value that was too big: its size, and how its JSON begins. */
interface CutValue {
  readonly $cut: number;
  readonly head: string;
}

/** The JSON text of a payload. Too big an object loses its big members first, so that its shape stays. */
export function toTraceJson(payload: unknown, redact: Redact): string | null {
  if (payload === undefined) return null;
  const value = redact(payload);
  const text = fittingText(value);
  if (text !== undefined) return text;
  if (!isPlainObject(value)) return stringify(cutValue(value));
  const members = Object.entries(value).map(([name, member]) => [name, shortened(member)]);
  return fittingText(Object.fromEntries(members)) ?? stringify(cutValue(value));
}

/** A value under its name: names like `api_key` say that the value is a secret. */
export function redactUnder(name: unknown, value: unknown, redact: Redact): unknown {
  if (value === undefined) return undefined;
  if (typeof name !== "string") return redact(value);
  const redacted = redact({ [name]: value });
  return isPlainObject(redacted) ? redacted[name] : redacted;
}

/** The value itself, or what stands for it when it is too big. */
export function shortened(value: unknown): unknown {
  return value !== undefined && isTooBig(value) ? cutValue(value) : value;
}

function cutValue(value: unknown): CutValue {
  return { $cut: jsonBytes(value), head: jsonHead(value, HEAD_LENGTH).toWellFormed() };
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

/** What is left of a length when a value's JSON is taken off it, at the least; looks no further once nothing is. */
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

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
