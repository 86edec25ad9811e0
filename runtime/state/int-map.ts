/**
 * A persistent map from small non-negative integers: wide nodes of 32, so that a change copies a few short arrays
 * whatever the size. Numbers that are dense and handed out in order (node runs, frames, fields) are what it is for.
 */
const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

type Slot<T> = readonly (Slot<T> | T | undefined)[];

export class IntMap<T> {
  static readonly #empty = new IntMap<never>([], 0, 0);
  readonly #root: Slot<T>;
  readonly #levels: number;
  readonly size: number;

  private constructor(root: Slot<T>, levels: number, size: number) {
    this.#root = root;
    this.#levels = levels;
    this.size = size;
  }

  static empty<T>(): IntMap<T> {
    return IntMap.#empty as IntMap<unknown> as IntMap<T>;
  }

  static of<T>(values: readonly T[]): IntMap<T> {
    return values.reduce(
      (map: IntMap<T>, value, index) => map.set(index, value),
      IntMap.empty<T>(),
    );
  }

  get(key: number): T | undefined {
    if (key < 0 || key >= WIDTH ** (this.#levels + 1)) return undefined;
    let slot: Slot<T> | undefined = this.#root;
    for (let level = this.#levels; level > 0 && slot !== undefined; level -= 1) {
      slot = slot[(key >>> (level * BITS)) & MASK] as Slot<T> | undefined;
    }
    return slot?.[key & MASK] as T | undefined;
  }

  set(key: number, value: T): IntMap<T> {
    let root = this.#root;
    let levels = this.#levels;
    while (key >= WIDTH ** (levels + 1)) {
      root = root.length === 0 ? [] : [root];
      levels += 1;
    }
    const before = this.get(key);
    if (before === value) return this;
    return new IntMap(
      put(root, levels, key, value),
      levels,
      this.size + (before === undefined ? 1 : 0),
    );
  }

  delete(key: number): IntMap<T> {
    if (this.get(key) === undefined) return this;
    const root = put(this.#root, this.#levels, key, undefined);
    return this.size === 1 ? IntMap.empty<T>() : new IntMap(root, this.#levels, this.size - 1);
  }

  /** Entries by rising key. */
  entries(): readonly (readonly [number, T])[] {
    const entries: [number, T][] = [];
    walk<T>(this.#root, this.#levels, 0, (key, value) => entries.push([key, value]));
    return entries;
  }

  /** The first key, by rising key, that `isIt`; what lies behind it is not looked at. */
  findKey(isIt: (key: number, value: T) => boolean): number | undefined {
    return findIn<T>(this.#root, this.#levels, 0, isIt);
  }

  /** The keys whose values differ from those of `other`, rising; what both share is not looked at. */
  changedFrom(other: IntMap<T>): readonly number[] {
    const keys: number[] = [];
    const levels = Math.max(this.#levels, other.#levels);
    collectChanged(this.#rootAt(levels), other.#rootAt(levels), levels, 0, keys);
    return keys;
  }

  /** Values by rising key. */
  values(): readonly T[] {
    const values: T[] = [];
    walk<T>(this.#root, this.#levels, 0, (_, value) => values.push(value));
    return values;
  }

  /** The root as it would be with more levels. */
  #rootAt(levels: number): Slot<T> {
    let root = this.#root;
    for (let level = this.#levels; level < levels; level += 1) root = [root];
    return root;
  }
}

function put<T>(slot: Slot<T>, level: number, key: number, value: T | undefined): Slot<T> {
  const index = (key >>> (level * BITS)) & MASK;
  const copy = slot.slice();
  if (level === 0) {
    copy[index] = value;
  } else {
    const child = put((slot[index] as Slot<T> | undefined) ?? [], level - 1, key, value);
    copy[index] = value === undefined && isEmpty(child) ? undefined : child;
  }
  return copy;
}

function isEmpty(slot: Slot<unknown>): boolean {
  for (const entry of slot) if (entry !== undefined) return false;
  return true;
}

function walk<T>(
  slot: Slot<T>,
  level: number,
  base: number,
  visit: (key: number, value: T) => void,
): void {
  for (let index = 0; index < slot.length; index += 1) {
    const entry = slot[index];
    if (entry === undefined) continue;
    const key = base + index * WIDTH ** level;
    if (level === 0) visit(key, entry as T);
    else walk(entry as Slot<T>, level - 1, key, visit);
  }
}

function findIn<T>(
  slot: Slot<T>,
  level: number,
  base: number,
  isIt: (key: number, value: T) => boolean,
): number | undefined {
  for (let index = 0; index < slot.length; index += 1) {
    const entry = slot[index];
    if (entry === undefined) continue;
    const key = base + index * WIDTH ** level;
    if (level > 0) {
      const found = findIn(entry as Slot<T>, level - 1, key, isIt);
      if (found !== undefined) return found;
    } else if (isIt(key, entry as T)) return key;
  }
  return undefined;
}

/** Adds the keys that differ to `keys`. Plain arguments: this runs for each completion of a run. */
function collectChanged<T>(
  a: Slot<T>,
  b: Slot<T>,
  level: number,
  base: number,
  keys: number[],
): void {
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a[index];
    const right = b[index];
    if (left === right) continue;
    const key = base + index * WIDTH ** level;
    if (level === 0) keys.push(key);
    else
      collectChanged(
        (left ?? NOTHING) as Slot<T>,
        (right ?? NOTHING) as Slot<T>,
        level - 1,
        key,
        keys,
      );
  }
}

const NOTHING: readonly never[] = [];
