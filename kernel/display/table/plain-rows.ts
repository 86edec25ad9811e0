/** Tells which values of cells are tables: arrays of plain objects. */
import { types } from "node:util";
import type { Row } from "../../../runtime/index.ts";

/** Objects of cells are of another realm. */
export function isPlainObject(value: unknown): value is Row {
  if (typeof value !== "object" || value === null || types.isProxy(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns whether nothing of the value's own is called when it is read: a plain object without getters. */
export function isPlainData(value: unknown): value is Row {
  if (!isPlainObject(value)) return false;
  const members = Object.values(Object.getOwnPropertyDescriptors(value));
  return members.every((member) => "value" in member);
}

/** The value itself where all its items are plain objects, and one of them is there. */
export function plainRows(value: unknown): readonly Row[] | undefined {
  if (types.isProxy(value) || !Array.isArray(value) || value.length === 0) return undefined;
  // Not `every`, which passes over holes.
  for (let at = 0; at < value.length; at += 1) if (!isPlainObject(value[at])) return undefined;
  return value;
}
