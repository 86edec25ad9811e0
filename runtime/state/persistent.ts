/** Persistent collections, whose versions share what did not change: a map by number, and a list that grows at its end. */
import { asFrozenJson, freezeJson } from "./json.ts";
import { createListView } from "./list-view.ts";

// A persistent map from small non-negative integers. While it is small it is one list of keys and values; a larger
// one is a tree of nodes of 16, so that a change copies a few short arrays whatever the size. Numbers that are
// dense and handed out in order (node runs, frames, fields) are what it is for.

const BITS = 4;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

/** A list becomes a tree above this size, and a tree a list again at half of it. */
const LISTED_MAX = 12;

/** The levels of a map that is a list. */
const LISTED = -1;

type Slot<T> = readonly (Slot<T> | T | undefined)[];

export class IntMap<T> {
  static readonly #empty = new IntMap<never>([], LISTED, 0);
  /** A tree, or keys and their values in turn, by rising key. */
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
    const levels = this.#levels;
    let slot: Slot<T> | undefined = this.#root;
    if (levels === LISTED) {
      const at = placeIn(slot, key);
      return slot[at] === key ? (slot[at + 1] as T) : undefined;
    }
    if (isAbove(key, levels)) return undefined;
    for (let level = levels; level > 0 && slot !== undefined; level -= 1) {
      slot = slot[(key >>> (level * BITS)) & MASK] as Slot<T> | undefined;
    }
    return slot?.[key & MASK] as T | undefined;
  }

  set(key: number, value: T): IntMap<T> {
    if (this.#levels === LISTED) return this.#setInList(key, value);
    const before = this.get(key);
    if (before === value) return this;
    let levels = this.#levels;
    while (isAbove(key, levels)) levels += 1;
    const root = put(this.#rootAt(levels), levels, key, value);
    return new IntMap(root, levels, this.size + (before === undefined ? 1 : 0));
  }

  delete(key: number): IntMap<T> {
    if (this.get(key) === undefined) return this;
    const size = this.size - 1;
    if (size === 0) return IntMap.empty<T>();
    if (this.#levels === LISTED)
      return new IntMap(spliced(this.#root, placeIn(this.#root, key), 2, NOTHING), LISTED, size);
    const root = put<T>(this.#root, this.#levels, key, undefined);
    return size * 2 > LISTED_MAX
      ? new IntMap(root, this.#levels, size)
      : new IntMap(listOf<T>(root, this.#levels), LISTED, size);
  }

  /** Entries by rising key. */
  entries(): readonly (readonly [number, T])[] {
    const entries: [number, T][] = [];
    this.#walk((key, value) => entries.push([key, value]));
    return entries;
  }

  /** The first key, by rising key, that `isIt`; what lies behind it is not looked at. */
  findKey(isIt: (key: number, value: T) => boolean): number | undefined {
    const root = this.#root;
    if (this.#levels !== LISTED) return findIn<T>(root, this.#levels, 0, isIt);
    for (let at = 0; at < root.length; at += 2) {
      const key = root[at] as number;
      if (isIt(key, root[at + 1] as T)) return key;
    }
    return undefined;
  }

  /** The keys whose values differ from those of `other`, rising; what both share is not looked at. */
  changedFrom(other: IntMap<T>): readonly number[] {
    if (this === other) return NOTHING;
    if (this.#levels === LISTED && other.#levels === LISTED)
      return comparedLists(this.#root, other.#root);
    const keys: number[] = [];
    const levels = Math.max(this.#height(), other.#height());
    collectChanged(this.#rootAt(levels), other.#rootAt(levels), levels, 0, keys);
    return keys;
  }

  /** Values by rising key. */
  values(): readonly T[] {
    const values: T[] = [];
    this.#walk((_, value) => values.push(value));
    return values;
  }

  #walk(visit: (key: number, value: T) => void): void {
    const root = this.#root;
    if (this.#levels !== LISTED) {
      walk(root, this.#levels, 0, visit);
      return;
    }
    for (let at = 0; at < root.length; at += 2) visit(root[at] as number, root[at + 1] as T);
  }

  #setInList(key: number, value: T): IntMap<T> {
    const list = this.#root;
    const at = placeIn(list, key);
    if (list[at] === key) {
      if (list[at + 1] === value) return this;
      const copy = list.slice();
      copy[at + 1] = value;
      return new IntMap(copy, LISTED, this.size);
    }
    const size = this.size + 1;
    const more = spliced<T>(list, at, 0, [key as T & number, value]);
    if (size <= LISTED_MAX) return new IntMap(more, LISTED, size);
    const levels = heightOf(more);
    return new IntMap(treeOf<T>(more, levels), levels, size);
  }

  /** The levels that the keys need in a tree. */
  #height(): number {
    return this.#levels === LISTED ? heightOf(this.#root) : this.#levels;
  }

  /** The root as it would be with so many levels. */
  #rootAt(levels: number): Slot<T> {
    if (this.#levels === LISTED) return treeOf<T>(this.#root, levels);
    let root = this.#root;
    for (let level = this.#levels; level < levels; level += 1) {
      const above = new Array<Slot<T> | undefined>(WIDTH).fill(undefined);
      above[0] = root;
      root = above;
    }
    return root;
  }
}

const NOTHING: readonly never[] = [];

/** Returns the index of a key in a list, or the one where it would be inserted. */
function placeIn(list: Slot<unknown>, key: number): number {
  let at = list.length;
  while (at > 0 && (list[at - 2] as number) >= key) at -= 2;
  return at;
}

function spliced<T>(list: Slot<T>, at: number, gone: number, more: Slot<T>): Slot<T> {
  const shift = more.length - gone;
  const next = new Array<Slot<T> | T | undefined>(list.length + shift);
  for (let index = 0; index < at; index += 1) next[index] = list[index];
  for (let index = 0; index < more.length; index += 1) next[at + index] = more[index];
  for (let index = at + gone; index < list.length; index += 1) next[index + shift] = list[index];
  return next;
}

function heightOf(list: Slot<unknown>): number {
  let levels = 0;
  while (isAbove(list[list.length - 2] as number, levels)) levels += 1;
  return levels;
}

/** Tells whether a key needs more levels. */
function isAbove(key: number, levels: number): boolean {
  return key >>> ((levels + 1) * BITS) !== 0;
}

function treeOf<T>(list: Slot<T>, levels: number): Slot<T> {
  let root: Slot<T> = EMPTY;
  for (let at = 0; at < list.length; at += 2) {
    root = put(root, levels, list[at] as number, list[at + 1] as T);
  }
  return root;
}

const EMPTY: readonly undefined[] = new Array<undefined>(WIDTH).fill(undefined);

function listOf<T>(root: Slot<T>, levels: number): Slot<T> {
  const list: (Slot<T> | T | undefined)[] = [];
  walk<T>(root, levels, 0, (key, value) => list.push(key as T & number, value));
  return list;
}

function put<T>(slot: Slot<T>, level: number, key: number, value: T | undefined): Slot<T> {
  const index = (key >>> (level * BITS)) & MASK;
  const copy = slot.slice();
  if (level === 0) {
    copy[index] = value;
  } else {
    const child = put((slot[index] as Slot<T> | undefined) ?? EMPTY, level - 1, key, value);
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
    const key = base + (index << (level * BITS));
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
    const key = base + (index << (level * BITS));
    if (level > 0) {
      const found = findIn(entry as Slot<T>, level - 1, key, isIt);
      if (found !== undefined) return found;
    } else if (isIt(key, entry as T)) return key;
  }
  return undefined;
}

/** Above every key, and still a small integer, which costs nothing. */
const BEHIND_ALL = 0x7fffffff;

/** The keys that differ between two lists. */
function comparedLists(a: Slot<unknown>, b: Slot<unknown>): readonly number[] {
  let keys: number[] = [];
  let [left, right] = [0, 0];
  while (left < a.length || right < b.length) {
    const inA = left < a.length ? (a[left] as number) : BEHIND_ALL;
    const inB = right < b.length ? (b[right] as number) : BEHIND_ALL;
    if (inA !== inB || a[left + 1] !== b[right + 1]) keys = grown(keys, Math.min(inA, inB));
    if (inA <= inB) left += 2;
    if (inB <= inA) right += 2;
  }
  return keys;
}

/** Adds the keys that differ to `keys`. Plain arguments: this runs for each completion of a run. */
function collectChanged<T>(
  a: Slot<T>,
  b: Slot<T>,
  level: number,
  base: number,
  keys: number[],
): void {
  for (let index = 0; index < WIDTH; index += 1) {
    const left = a[index];
    const right = b[index];
    if (left === right) continue;
    const key = base + (index << (level * BITS));
    if (level === 0) keys.push(key);
    else
      collectChanged((left ?? EMPTY) as Slot<T>, (right ?? EMPTY) as Slot<T>, level - 1, key, keys);
  }
}

// A persistent list that grows at its end; all its versions share one array.

/** The part that all versions of a list share. */
interface Backing<T> {
  readonly items: T[];
  /** The items before it are frozen all the way down. */
  frozenTo: number;
  /**
   * The version that was last read as an array. A `WeakRef` for each version would be kept until the job ends, after
   * thousands of steps.
   */
  array: readonly T[] | undefined;
}

/**
 * A persistent list that only grows at its end: all versions share one array, and each knows how much of it is its own.
 * The newest version appends in place, an older one copies first; so a thousand versions of a list take the room of one.
 */
export class SharedList<T> {
  static readonly #empty = new SharedList<never>({ items: [], frozenTo: 0, array: undefined }, 0);
  /** Its items are more than `length` once a newer version has appended to it. */
  readonly #backing: Backing<T>;
  readonly length: number;

  private constructor(backing: Backing<T>, length: number) {
    this.#backing = backing;
    this.length = length;
  }

  static empty<T>(): SharedList<T> {
    return SharedList.#empty as SharedList<unknown> as SharedList<T>;
  }

  /** A list of these items; later changes of `items` don't reach it. */
  static of<T>(items: Iterable<T>): SharedList<T> {
    const own = [...items];
    return new SharedList({ items: own, frozenTo: 0, array: undefined }, own.length);
  }

  /** A list of so many items, which are read when somebody first asks for one. */
  static later<T>(length: number, read: () => T[]): SharedList<T> {
    let known: T[] | undefined;
    const backing = {
      get items() {
        known ??= read();
        return known;
      },
      frozenTo: 0,
      array: undefined,
    };
    return new SharedList<T>(backing, length);
  }

  /** One and the same for all versions that share their items. */
  get shared(): object {
    return this.#backing;
  }

  append(items: readonly T[] | SharedList<T>): SharedList<T> {
    if (items.length === 0) return this;
    if (this.length === 0) return items instanceof SharedList ? items : SharedList.of(items);
    const backing = this.#ownBacking();
    const own = backing.items;
    if (items instanceof SharedList) for (const item of items) own.push(item);
    else for (let at = 0; at < items.length; at += 1) own.push(items[at] as T);
    return new SharedList(backing, own.length);
  }

  /** One that ends where this list does. */
  #ownBacking(): Backing<T> {
    const { items, frozenTo } = this.#backing;
    if (items.length === this.length) return this.#backing;
    const own = items.slice(0, this.length);
    return { items: own, frozenTo: Math.min(frozenTo, this.length), array: undefined };
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let index = 0; index < this.length; index += 1) yield this.#backing.items[index] as T;
  }

  at(index: number): T | undefined {
    return index < this.length ? this.#backing.items[index] : undefined;
  }

  toJSON(): readonly T[] {
    return this.toArray();
  }

  /** The items as an array, frozen all the way down; the same one until another version is asked. */
  toArray(): readonly T[] {
    const backing = this.#backing;
    const { items, array: known } = backing;
    if (known?.length === this.length) return known;
    this.#freeze();
    const array = asFrozenJson(Object.freeze(items.slice(0, this.length)));
    backing.array = array;
    return array;
  }

  /** The items as whoever only reads them may have them: a long list is not copied for each of its versions. */
  toReadable(): readonly T[] {
    const { items, array } = this.#backing;
    const { length } = this;
    if (length < VIEWED_MIN || array?.length === length) return this.toArray();
    this.#freeze();
    return asFrozenJson(createListView({ length, items, toArray: () => this.toArray() })) as T[];
  }

  /** Freezes each item once, not once a version. */
  #freeze(): void {
    const backing = this.#backing;
    for (let at = backing.frozenTo; at < this.length; at += 1) freezeJson(backing.items[at]);
    backing.frozenTo = Math.max(backing.frozenTo, this.length);
  }
}

/** A shorter list is copied in the time of a step or less: 3 µs for 4,000 items, 20 µs for 10,000, 600 µs for 50,000. */
const VIEWED_MIN = 8_192;

/** A field's value as everybody but its reducer sees it: a list as an array. */
export function plain(value: unknown): unknown {
  return value instanceof SharedList ? value.toArray() : value;
}

/**
 * A list of one's own with one more item. The first comes into a list of its own size: an empty one that is pushed to takes
 * room for seventeen, and most lists of a record have one item.
 */
export function grown<T>(list: T[], item: T): T[] {
  if (list.length === 0) return [item];
  list.push(item);
  return list;
}
