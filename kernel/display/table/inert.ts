/** Makes copies of values that can be shown without running a getter: a text stands for what it would compute. */
import { inspect, types } from "node:util";
import type { Row } from "../../../runtime/index.ts";

/** Stands for a member that is not read: its getter might do anything. */
export const UNREAD = "(computed when it is read)";

/** The rows themselves where none has a getter; the values of their members are as they are. */
export function inertRows(rows: readonly Row[]): readonly Row[] {
  let copy: Row[] | undefined;
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] as Row;
    const keys = Object.keys(row);
    if (!keys.some((key) => isComputed(row, key))) continue;
    copy ??= [...rows];
    copy[at] = Object.fromEntries(keys.map((key) => [key, memberOf(row, key)])) as Row;
  }
  return copy ?? rows;
}

/** A copy of the value and of all that is in it, but for what writes itself as JSON, as dates do. */
export function inert(value: unknown, known = new Map<unknown, unknown>()): unknown {
  if (typeof value !== "object" || value === null) return value;
  // Each member of a proxy is computed.
  if (types.isProxy(value)) return inspect(value, { depth: 0 });
  if (known.has(value)) return known.get(value);
  if (ArrayBuffer.isView(value) || writesItself(value)) return value;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? Array.from({ length: value.length })
    : {};
  known.set(value, copy);
  for (const key of Object.keys(value)) {
    const member = inert(memberOf(value, key), known);
    Object.defineProperty(copy, key, { value: member, enumerable: true, configurable: true });
  }
  return copy;
}

function memberOf(value: object, key: string): unknown {
  return isComputed(value, key) ? UNREAD : value[key as keyof typeof value];
}

function isComputed(value: object, key: string): boolean {
  return Object.getOwnPropertyDescriptor(value, key)?.get !== undefined;
}

function writesItself(value: object): boolean {
  for (let one: object | null = value; one !== null; one = Object.getPrototypeOf(one)) {
    const method = Object.getOwnPropertyDescriptor(one, "toJSON");
    if (method !== undefined) return typeof method.value === "function";
  }
  return false;
}
