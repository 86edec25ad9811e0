/** Values as the JSON form of OTLP has them: one member says the type, 64-bit integers are texts. */

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

/** Attributes as an object; what is not of the format is left out. */
export function readAttributes(list: unknown): Record<string, unknown> {
  const entries = itemsOf(list).flatMap((item) => {
    const { key, value } = membersOf(item);
    return typeof key === "string" ? [[key, readValue(value)] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** An integer that a number can't hold stays a text. */
function readValue(value: unknown): unknown {
  const of = membersOf(value);
  if ("stringValue" in of) return String(of.stringValue);
  if ("boolValue" in of) return of.boolValue === true;
  if ("intValue" in of) return readInteger(of.intValue);
  if ("doubleValue" in of) return Number(of.doubleValue);
  if ("arrayValue" in of) return itemsOf(membersOf(of.arrayValue).values).map(readValue);
  if ("kvlistValue" in of) return readAttributes(membersOf(of.kvlistValue).values);
  if ("bytesValue" in of) return String(of.bytesValue);
  return null;
}

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
