/** Payloads as the trace keeps them: redacted, well-formed and of bounded size. The log has them whole. */

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
  const text = stringify(value);
  if (!isTooBig(text)) return text;
  if (!isPlainObject(value)) return stringify(cutValue(text));
  const members = Object.entries(value).map(([name, member]) => [name, shortened(member)]);
  const shorter = stringify(Object.fromEntries(members));
  return isTooBig(shorter) ? stringify(cutValue(text)) : shorter;
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
  if (value === undefined) return undefined;
  const text = stringify(value);
  return isTooBig(text) ? cutValue(text) : value;
}

function cutValue(text: string): CutValue {
  return { $cut: Buffer.byteLength(text), head: text.slice(0, HEAD_LENGTH).toWellFormed() };
}

function isTooBig(text: string): boolean {
  // A UTF-16 unit is at most three bytes: most texts need no count.
  return text.length * 3 > PAYLOAD_BYTES_MAX && Buffer.byteLength(text) > PAYLOAD_BYTES_MAX;
}

/** JSON that DuckDB can read: half of a surrogate pair is an error to its parser, for every row of a query. */
export function stringify(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return text.includes("\\ud") ? text.replaceAll(HALF_PAIR, "$1\\ufffd") : text;
}

// `JSON.stringify` escapes only halves; an escape is one behind an even number of backslashes.
const HALF_PAIR = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
