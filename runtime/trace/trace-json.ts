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
  if (!isTooBig(value)) return stringify(value);
  if (!isPlainObject(value)) return stringify(cutValue(value));
  const members = Object.entries(value).map(([name, member]) => [name, shortened(member)]);
  const shorter = Object.fromEntries(members);
  return stringify(isTooBig(shorter) ? cutValue(value) : shorter);
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
  const bytes = knownBytes(value);
  if (bytes !== undefined) return bytes > PAYLOAD_BYTES_MAX;
  return !surelyFits(value) && jsonBytes(value) > PAYLOAD_BYTES_MAX;
}

/** A character is at most six bytes of JSON: most values need no count. */
function surelyFits(value: unknown): boolean {
  return lengthLeft(value, PAYLOAD_BYTES_MAX / 6) > 0;
}

const NUMBER_LENGTH = 24;

/** What is left of a length when a value's JSON is taken off it; looks no further once nothing is. */
function lengthLeft(value: unknown, length: number): number {
  if (typeof value === "string") return length - value.length - 2;
  if (typeof value !== "object" || value === null) return length - NUMBER_LENGTH;
  let left = length - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left > 0; index += 1)
      left = lengthLeft(value[index], left - 1);
    return left;
  }
  for (const [key, part] of Object.entries(value)) {
    left = lengthLeft(part, left - key.length - 4);
    if (left <= 0) return left;
  }
  return left;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
