/** Converts values to and from the JSON form of OTLP: one member names the type, and 64-bit integers are texts. */

export type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number | string }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } };

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

export function text(key: string, value: string): KeyValue {
  return { key, value: { stringValue: value } };
}

export function integer(key: string, value: number): KeyValue {
  return { key, value: { intValue: String(Math.trunc(value)) } };
}

export function double(key: string, value: number): KeyValue {
  return { key, value: { doubleValue: Number.isFinite(value) ? value : String(value) } };
}

export function bool(key: string, value: boolean): KeyValue {
  return { key, value: { boolValue: value } };
}

export function texts(key: string, values: readonly string[]): KeyValue {
  return { key, value: { arrayValue: { values: values.map((each) => ({ stringValue: each })) } } };
}

/** Attributes as an object; what is not of the format, or not wanted, is left out. */
export function readAttributes(
  list: unknown,
  isWanted: (key: string) => boolean = always,
): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const item of itemsOf(list)) {
    const { key, value } = membersOf(item);
    if (typeof key === "string" && isWanted(key)) setOwn(attributes, key, readValue(value));
  }
  return attributes;
}

function always(): boolean {
  return true;
}

/** Sets a member, whatever it is called. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true });
}

/** An integer that a number can't hold stays a text. */
function readValue(value: unknown): unknown {
  const of = membersOf(value);
  if (typeof of.stringValue === "string") return of.stringValue;
  if (typeof of.intValue === "string" && of.intValue.length < EXACT_DIGITS)
    return Number(of.intValue);
  if ("stringValue" in of) return String(of.stringValue);
  if ("boolValue" in of) return of.boolValue === true;
  if ("intValue" in of) return readInteger(of.intValue);
  if ("doubleValue" in of) return Number(of.doubleValue);
  if ("arrayValue" in of) return itemsOf(membersOf(of.arrayValue).values).map(readValue);
  if ("kvlistValue" in of) return readAttributes(membersOf(of.kvlistValue).values);
  if ("bytesValue" in of) return String(of.bytesValue);
  return null;
}

/** Shorter ones are exact as numbers. */
const EXACT_DIGITS = 16;

function readInteger(value: unknown): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** The members of what may be no object. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** The items of what may be no list. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
