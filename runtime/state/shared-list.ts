/** A persistent list that grows at its end; all its versions share one array. */
import { asFrozenJson, freezeJson } from "./json.ts";

/** What all versions of a list share. */
interface Backing<T> {
  readonly items: T[];
  /** The items before it are frozen all the way down. */
  frozenTo: number;
  /**
   * What was asked for last as an array. A `WeakRef` for each version would be kept until the job ends, which is after
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
    // Each item once, not once a version.
    for (let at = backing.frozenTo; at < this.length; at += 1) freezeJson(items[at]);
    backing.frozenTo = Math.max(backing.frozenTo, this.length);
    const array = asFrozenJson(Object.freeze(items.slice(0, this.length)));
    backing.array = array;
    return array;
  }
}

/** A field's value as everybody but its reducer sees it: a list as an array. */
export function plain(value: unknown): unknown {
  return value instanceof SharedList ? value.toArray() : value;
}
