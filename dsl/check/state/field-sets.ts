/** Sets of fields as bits: a large graph has thousands of them, each with thousands of fields. */

/** Some of the fields of a `SetsOfFields`. Never changed once it is made. */
export type FieldSet = Uint32Array;

/** The fields that sets can have. */
export interface SetsOfFields {
  readonly names: readonly string[];
  readonly none: FieldSet;
  readonly all: FieldSet;
  /** Returns the set of those of the names that are among the fields. */
  readonly setOf: (names: readonly string[]) => FieldSet;
  /** A name that is not among the fields is in every set. */
  readonly has: (set: FieldSet, name: string) => boolean;
}

const BITS = 32;

/** Makes sets of the fields with these names possible. */
export function fieldsCalled(names: readonly string[]): SetsOfFields {
  const places = new Map(names.map((name, index) => [name, index]));
  const length = Math.ceil(names.length / BITS);
  const setOf = (chosen: readonly string[]): FieldSet => {
    const set = new Uint32Array(length);
    for (const name of chosen) {
      const at = places.get(name);
      if (at !== undefined) set[Math.floor(at / BITS)] = wordWith(set, at);
    }
    return set;
  };
  const has = (set: FieldSet, name: string): boolean => {
    const at = places.get(name);
    return at === undefined || wordOf(set, at) === wordWith(set, at);
  };
  return { names, none: setOf([]), all: setOf(names), setOf, has };
}

function wordOf(set: FieldSet, at: number): number {
  return set[Math.floor(at / BITS)] ?? 0;
}

function wordWith(set: FieldSet, at: number): number {
  return (wordOf(set, at) | (1 << (at % BITS))) >>> 0;
}

/** Returns what is in any of the sets. */
export function eitherOf(sets: readonly FieldSet[]): FieldSet {
  return combined(sets, (set, other) => {
    for (let at = 0; at < set.length; at += 1) set[at] = (set[at] ?? 0) | (other[at] ?? 0);
  });
}

/** Returns what is in all of the sets. */
export function bothOf(sets: readonly FieldSet[]): FieldSet {
  return combined(sets, (set, other) => {
    for (let at = 0; at < set.length; at += 1) set[at] = (set[at] ?? 0) & (other[at] ?? 0);
  });
}

function combined(
  [first, ...others]: readonly FieldSet[],
  // A whole set at once: to call a function for each word takes ten times as long.
  change: (set: FieldSet, by: FieldSet) => void,
): FieldSet {
  if (first === undefined || others.length === 0) return first ?? new Uint32Array();
  const set = first.slice();
  for (const other of others) change(set, other);
  return set;
}

/** Returns whether two sets of the same fields are the same. */
export function areEqual(a: FieldSet, b: FieldSet): boolean {
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}
