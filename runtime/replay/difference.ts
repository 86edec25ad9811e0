/** Where two values of the log differ first. */

export interface Difference {
  /** Members and indexes, outermost first; empty where the values themselves differ. */
  readonly path: readonly (string | number)[];
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** The first difference, in the order of the recorded value's members. A member that is `undefined` is none. */
export function difference(
  recorded: unknown,
  replayed: unknown,
  path: Difference["path"] = [],
): Difference | undefined {
  if (Object.is(recorded, replayed)) return undefined;
  if (!isComposite(recorded) || !isComposite(replayed) || isList(recorded) !== isList(replayed)) {
    return isSameLeaf(recorded, replayed) ? undefined : { path, recorded, replayed };
  }
  const keys = new Set([...Object.keys(recorded), ...Object.keys(replayed)]);
  for (const key of keys) {
    const step = isList(recorded) ? Number(key) : key;
    const found = difference(memberOf(recorded, key), memberOf(replayed, key), [...path, step]);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isList = Array.isArray;

/** What is compared member by member; a date, say, is one value. */
function isComposite(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return isList(value) || prototype === Object.prototype || prototype === null;
}

/** The log is JSON: what JSON can't tell apart is the same. */
function isSameLeaf(recorded: unknown, replayed: unknown): boolean {
  const isSame = JSON.stringify(recorded) === JSON.stringify(replayed);
  return isSame && typeof recorded !== "function" && typeof replayed !== "function";
}

function memberOf(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
}
