/**
 * A persistent list that only grows at its end: all versions share one array, and each knows how much of it is its own.
 * The newest version appends in place, an older one copies first; so a thousand versions of a list take the room of one.
 */
export class SharedList<T> {
  static readonly #empty = new SharedList<never>([], 0);
  /** Longer than `length` once a newer version has appended to it. */
  readonly #backing: T[];
  readonly length: number;
  #array: WeakRef<readonly T[]> | undefined;

  private constructor(backing: T[], length: number) {
    this.#backing = backing;
    this.length = length;
  }

  static empty<T>(): SharedList<T> {
    return SharedList.#empty as SharedList<unknown> as SharedList<T>;
  }

  /** A list of these items; later changes of `items` don't reach it. */
  static of<T>(items: Iterable<T>): SharedList<T> {
    const backing = [...items];
    return new SharedList(backing, backing.length);
  }

  append(items: readonly T[] | SharedList<T>): SharedList<T> {
    if (items.length === 0) return this;
    if (this.length === 0) return items instanceof SharedList ? items : SharedList.of(items);
    const isNewest = this.length === this.#backing.length;
    const backing = isNewest ? this.#backing : this.#backing.slice(0, this.length);
    if (items instanceof SharedList) for (const item of items) backing.push(item);
    else for (let at = 0; at < items.length; at += 1) backing.push(items[at] as T);
    return new SharedList(backing, backing.length);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let index = 0; index < this.length; index += 1) yield this.#backing[index] as T;
  }

  at(index: number): T | undefined {
    return index < this.length ? this.#backing[index] : undefined;
  }

  toJSON(): readonly T[] {
    return this.toArray();
  }

  /** The items as a frozen array, the same one while anybody holds it. */
  toArray(): readonly T[] {
    const known = this.#array?.deref();
    if (known !== undefined) return known;
    const array = Object.freeze(this.#backing.slice(0, this.length));
    this.#array = new WeakRef(array);
    return array;
  }
}

/** A field's value as everybody but its reducer sees it: a list as an array. */
export function plain(value: unknown): unknown {
  return value instanceof SharedList ? value.toArray() : value;
}
