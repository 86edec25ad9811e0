/** Divides the long lists of a snapshot into chunks that are stored once, and reads such a list when somebody asks for it. */
import { SharedList } from "../../state/persistent.ts";

/** A shorter list stands in the text of the snapshot itself. */
const LONG_MIN = 256;
/** A chunk ends behind so many items, or behind the item with which its text has so many characters. */
const ITEMS_MAX = 4_096;
const CHARACTERS_MIN = 65_536;

/** A chunk as it is stored, under the hash of its bytes. */
export interface Chunk {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** Limits the chunks of a snapshot, and makes them. */
export interface ChunkLimits {
  /** The most characters of the chunks that are not stored. */
  readonly chunksLengthMax: number;
  /** Tells that a chunk need not be made again. */
  readonly isStored: (hash: string) => boolean;
  readonly pack: (text: string) => Chunk;
}

export type LongList = readonly unknown[] | SharedList<unknown>;

/** A chunk of a list: the items from the end of the one before it to `end`. */
export interface ChunkPlace {
  readonly end: number;
  readonly hash: string;
}

/** The chunks of lists that were written or read, by the array or by what the versions of a list share. */
const known = new WeakMap<object, ChunkPlace[]>();

/** The chunks that a text names. */
export class NamedChunks {
  readonly named = new Set<string>();
  readonly fresh = new Map<string, Uint8Array>();
  /** The characters of the fresh ones. */
  length = 0;
  readonly #limits: ChunkLimits;

  constructor(limits: ChunkLimits) {
    this.#limits = limits;
  }

  get isTooLong(): boolean {
    return this.length > this.#limits.chunksLengthMax;
  }

  isNamed(hash: string): boolean {
    return this.named.has(hash) || this.#limits.isStored(hash);
  }

  /** Returns the hash of a chunk with this text. */
  add(text: string): string {
    const { hash, bytes } = this.#limits.pack(text);
    if (!this.isNamed(hash)) {
      this.fresh.set(hash, bytes);
      this.length += text.length;
    }
    this.named.add(hash);
    return hash;
  }
}

/** Writes items one after another as a chunk of its own; undefined where one has no text. */
export interface ChunkWriter {
  readonly length: number;
  add(item: unknown): boolean;
  text(): string;
}

/** The chunks of a list, none of a list that is too short; undefined where they would be too long, or an item has no text. */
export function divideList(
  list: LongList,
  chunks: NamedChunks,
  newWriter: () => ChunkWriter,
): readonly ChunkPlace[] | undefined {
  const places = placesOf(list);
  const divided: ChunkPlace[] = [];
  let end = 0;
  for (let index = 0; ; index += 1) {
    let place = places[index];
    if (place !== undefined && place.end > list.length) break;
    if (place === undefined || !chunks.isNamed(place.hash)) {
      const written = writeChunk(list, { from: end, to: place?.end, newWriter });
      if (written === "no text") return undefined;
      if (written === undefined) break;
      place = { end: written.end, hash: chunks.add(written.text) };
      if (chunks.isTooLong) return undefined;
      places[index] = place;
    }
    chunks.named.add(place.hash);
    divided.push(place);
    end = place.end;
  }
  return divided;
}

/** Tells whether a list may have chunks. */
export function isLong(value: object): value is LongList {
  return (Array.isArray(value) || value instanceof SharedList) && value.length >= LONG_MIN;
}

function placesOf(list: LongList): ChunkPlace[] {
  const key = list instanceof SharedList ? list.shared : list;
  let places = known.get(key);
  if (places === undefined) {
    places = [];
    known.set(key, places);
  }
  return places;
}

/** The next chunk of a list, up to `to` where that is known; undefined where too little is left for one. */
function writeChunk(
  list: LongList,
  of: { readonly from: number; readonly to?: number | undefined; newWriter(): ChunkWriter },
): { readonly text: string; readonly end: number } | "no text" | undefined {
  const { from, to } = of;
  const writer = of.newWriter();
  for (let at = from; at < (to ?? list.length); ) {
    if (!writer.add(list.at(at))) return "no text";
    at += 1;
    const isFull = at - from >= ITEMS_MAX || writer.length >= CHARACTERS_MIN;
    if (to === undefined ? isFull : at === to) return { text: writer.text(), end: at };
  }
  return undefined;
}

/** The text of a chunk, for when it is wanted; undefined where its bytes are missing or damaged. */
export type ReadsChunk = (hash: string) => (() => string) | undefined;

/** Reads the chunks of the lists of one snapshot. */
export class ChunkReader {
  readonly #chunk: ReadsChunk;
  readonly #itemsIn: (text: string) => readonly unknown[];
  readonly #texts = new Map<string, () => string>();
  /** Several lists may have the same items. */
  readonly #items = new Map<string, readonly unknown[]>();

  constructor(chunk: ReadsChunk, itemsIn: (text: string) => readonly unknown[]) {
    this.#chunk = chunk;
    this.#itemsIn = itemsIn;
  }

  /** Those of all lists so far. */
  get hashes(): ReadonlySet<string> {
    return new Set(this.#texts.keys());
  }

  /** The list with these chunks; its chunks are there, and its items are read when somebody asks for one. */
  shared({ places, tail }: ReadList): SharedList<unknown> {
    this.#require(places);
    const length = (places.at(-1)?.end ?? 0) + tail.length;
    const list = SharedList.later(length, () => this.#read({ places, tail }));
    known.set(list.shared, places);
    return list;
  }

  /** The same as an array, made when somebody asks for it. */
  array({ places, tail }: ReadList): () => readonly unknown[] {
    this.#require(places);
    let array: readonly unknown[] | undefined;
    return () => {
      if (array === undefined) {
        array = this.#read({ places, tail });
        known.set(array, places);
      }
      return array;
    };
  }

  /** Throws where a chunk is missing or damaged. */
  #require(places: readonly ChunkPlace[]): void {
    for (const { hash } of places) {
      const text = this.#texts.get(hash) ?? this.#chunk(hash);
      if (text === undefined) throw new Error(`the chunk ${hash} is missing or damaged`);
      this.#texts.set(hash, text);
    }
  }

  #read({ places, tail }: ReadList): unknown[] {
    const list: unknown[] = [];
    for (const { hash } of places) for (const item of this.#itemsOf(hash)) list.push(item);
    for (const item of tail) list.push(item);
    return list;
  }

  #itemsOf(hash: string): readonly unknown[] {
    const items = this.#items.get(hash) ?? this.#itemsIn(this.#texts.get(hash)?.() ?? "[]");
    this.#items.set(hash, items);
    return items;
  }
}

/** A list as its text has it. */
export interface ReadList {
  readonly places: ChunkPlace[];
  readonly tail: readonly unknown[];
}
