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
    const grew = this.get(key) === undefined ? 1 : 0;
    return new IntMap(put(root, levels, key, value), levels, this.size + grew);
  }

  delete(key: number): IntMap<T> {
    if (this.get(key) === undefined) return this;
    const root = put(this.#root, this.#levels, key, undefined);
    return this.size === 1 ? IntMap.empty<T>() : new IntMap(root, this.#levels, this.size - 1);
  }

  /** Entries by rising key. */
  *entries(): Generator<[number, T]> {
    yield* walk<T>(this.#root, this.#levels, 0);
  }

  /** The keys whose values differ from those of `other`; what both share is not looked at. */
  *changedFrom(other: IntMap<T>): Generator<number> {
    if (this.#levels === other.#levels) {
      yield* changed(this.#root, other.#root, this.#levels, 0);
      return;
    }
    const keys = new Set([...other.entries(), ...this.entries()].map(([key]) => key));
    for (const key of keys) if (this.get(key) !== other.get(key)) yield key;
  }

  *values(): Generator<T> {
    for (const [, value] of this.entries()) yield value;
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
  return slot.every((entry) => entry === undefined);
}

function* walk<T>(slot: Slot<T>, level: number, base: number): Generator<[number, T]> {
  for (const [index, entry] of slot.entries()) {
    if (entry === undefined) continue;
    const key = base + index * WIDTH ** level;
    if (level === 0) yield [key, entry as T];
    else yield* walk(entry as Slot<T>, level - 1, key);
  }
}

function* changed<T>(a: Slot<T>, b: Slot<T>, level: number, base: number): Generator<number> {
  if (a === b) return;
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    if (a[index] === b[index]) continue;
    const key = base + index * WIDTH ** level;
    if (level === 0) yield key;
    else yield* changed((a[index] ?? []) as Slot<T>, (b[index] ?? []) as Slot<T>, level - 1, key);
  }
}
