/** Where two values differ, place by place. */
import { type Path, pathText } from "../../state/path.ts";

/** One place; a side that has nothing there is absent. */
export interface ValueDifference {
  /** `plan.steps[2].title` */
  readonly path: string;
  readonly a?: unknown;
  readonly b?: unknown;
}

/** More are not read one by one. */
const DIFFERENCES_MAX = 1_000;

/** In the order of the members of `a`, then those that only `b` has; the first thousand. */
export function valueDifferences(a: unknown, b: unknown): readonly ValueDifference[] {
  const found: ValueDifference[] = [];
  collect(a, b, { path: [], found });
  return found;
}

interface Search {
  readonly path: Path;
  readonly found: ValueDifference[];
}

function collect(a: unknown, b: unknown, { path, found }: Search): void {
  if (Object.is(a, b) || found.length >= DIFFERENCES_MAX) return;
  if (isComposite(a) && isComposite(b) && Array.isArray(a) === Array.isArray(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    for (const key of keys) {
      const step = Array.isArray(a) ? Number(key) : key;
      collect(memberOf(a, key), memberOf(b, key), { path: [...path, step], found });
    }
    return;
  }
  // The log is JSON: what JSON can't tell apart is the same.
  if (JSON.stringify(a) === JSON.stringify(b)) return;
  found.push({
    path: pathText(path),
    ...(a === undefined ? {} : { a }),
    ...(b === undefined ? {} : { b }),
  });
}

function isComposite(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function memberOf(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
}
