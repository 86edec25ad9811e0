/** Finds the places in which two JSON values differ. */
import type { Path } from "../state/path.ts";

export interface JsonDifference {
  /** Members and indexes, outermost first; empty where the values themselves differ. */
  readonly path: Path;
  /** `undefined` where one has no such member. */
  readonly a: unknown;
  readonly b: unknown;
}

/**
 * Every place where they differ, in the order of the members of `a`, then those that only `b` has. A member that is
 * `undefined` is none.
 */
export function* jsonDifferences(
  a: unknown,
  b: unknown,
  path: Path = [],
): Generator<JsonDifference, void> {
  if (Object.is(a, b)) return;
  if (!isComposite(a) || !isComposite(b) || Array.isArray(a) !== Array.isArray(b)) {
    if (!isSameLeaf(a, b)) yield { path, a, b };
    return;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const step = Array.isArray(a) ? Number(key) : key;
    yield* jsonDifferences(readOwnMember(a, key), readOwnMember(b, key), [...path, step]);
  }
}

/** The first of them. */
export function firstDifference(a: unknown, b: unknown): JsonDifference | undefined {
  return jsonDifferences(a, b).next().value ?? undefined;
}

/** Returns whether a value is compared member by member; a date, for example, is one value. */
function isComposite(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/** Returns whether two leaves are the same as JSON. */
function isSameLeaf(a: unknown, b: unknown): boolean {
  const isSame = JSON.stringify(a) === JSON.stringify(b);
  return isSame && typeof a !== "function" && typeof b !== "function";
}

function readOwnMember(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
}
