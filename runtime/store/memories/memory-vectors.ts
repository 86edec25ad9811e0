/**
 * Keeps vectors of entries in SQLite and finds those that are like another one. The signs of the numbers of a vector, one bit each, lie
 * in chunks of a thousand entries: comparing all of them finds the entries whose whole vectors are compared.
 */
import type { QueryVector } from "../../records/memory-records.ts";
import { asBits, asNumbers, bytesOf, KnownSigns } from "./known-signs.ts";
import type { Statements } from "./statements.ts";

/** An entry and its likeness to a query, from -1 to 1. */
export interface LikeEntry {
  readonly number: number;
  readonly likeness: number;
}

/** The number of signs that are kept of a longer vector: those of numbers at equal distances. */
const BITS_MAX = 512;
const CHUNK = 1_024;

/** The whole vectors of so many entries are compared. */
const COMPARED = 200;

export class MemoryVectors {
  readonly #statements: Statements;
  readonly #signs: KnownSigns;

  constructor(statements: Statements) {
    this.#statements = statements;
    this.#signs = new KnownSigns(statements);
  }

  /** Keeps vectors of kept entries of one model, in the place of those that they had. */
  put(model: string, vectors: readonly EntryVector[]): void {
    for (const { number } of vectors) this.#deleteWhere(number, model);
    let open: OpenChunk | undefined;
    for (const { space, number, values } of vectors) {
      if (open?.free === 0 || open?.space !== space || open.dimensions !== values.length) {
        if (open !== undefined) this.#write(open);
        open = this.#openChunk(space, model, values.length);
      }
      const signs = signsOf(values);
      const slot = open.numbers.indexOf(0);
      open.numbers[slot] = number;
      open.bits.set(signs, slot * signs.length);
      open.free -= 1;
      this.#statements.run(INSERT, number, model, open.chunk, slot, bytesOf(values));
    }
    if (open !== undefined) this.#write(open);
  }

  /** Deletes all vectors of an entry. */
  delete(number: number): void {
    for (const { model } of this.#statements.all<{ model: string }>(MODELS_OF, number))
      this.#deleteWhere(number, model);
  }

  /** The entries of a space that are most like a vector, the most like one first. */
  nearest(space: number, query: QueryVector): readonly LikeEntry[] {
    const signs = signsOf(query.values);
    const { model, values } = query;
    const chunks = this.#signs.of(space, model, values.length).map(({ numbers, bits }) => ({
      numbers,
      distances: distancesOf(bits, signs),
    }));
    const worst = distanceOfRank(chunks, signs.length * 32, COMPARED);
    const near: number[] = [];
    const asFar: number[] = [];
    for (const { numbers, distances } of chunks)
      for (let slot = 0; slot < CHUNK; slot += 1) {
        const distance = distances[slot] as number;
        const number = numbers[slot] as number;
        if (number === 0 || distance > worst) continue;
        if (distance < worst) near.push(number);
        else if (asFar.length < COMPARED) asFar.push(number);
      }
    const compared = [...near, ...asFar.slice(0, Math.max(0, COMPARED - near.length))];
    const found = [...this.likeness(compared, query)];
    return found
      .map(([number, likeness]) => ({ number, likeness }))
      .toSorted((a, b) => b.likeness - a.likeness);
  }

  /** The likeness of each of these entries that has a vector of the same model. */
  likeness(
    numbers: readonly number[],
    { model, values }: QueryVector,
  ): ReadonlyMap<number, number> {
    const rows = this.#statements.all<VectorRow>(VECTORS, model, JSON.stringify(numbers));
    return new Map(
      rows
        .filter(({ vector }) => vector.byteLength === values.byteLength)
        .map(({ number, vector }): [number, number] => [number, product(asVector(vector), values)])
        .filter(([, likeness]) => Number.isFinite(likeness)),
    );
  }

  #deleteWhere(number: number, model: string): void {
    const row = this.#statements.get<PlaceRow>(PLACE, number, model);
    if (row === undefined) return;
    const numbers = asNumbers(row.numbers);
    const bits = asBits(row.bits);
    const width = bits.length / CHUNK;
    numbers[row.slot] = 0;
    bits.fill(0, row.slot * width, (row.slot + 1) * width);
    const free = row.free + 1;
    if (free === CHUNK) this.#statements.run(DELETE_CHUNK, row.chunk);
    else this.#write({ chunk: row.chunk, numbers, bits, free });
    this.#signs.forget();
    this.#statements.run(DELETE, number, model);
  }

  #write({ chunk, numbers, bits, free }: Omit<OpenChunk, "space" | "dimensions">): void {
    this.#signs.forget();
    this.#statements.run(UPDATE_CHUNK, free, bytesOf(numbers), bytesOf(bits), chunk);
  }

  /** A chunk that has room. */
  #openChunk(space: number, model: string, dimensions: number): OpenChunk {
    const of = { space, dimensions };
    const found = this.#statements.get<ChunkRow>(WITH_ROOM, space, model, dimensions);
    if (found !== undefined) {
      const { chunk, free } = found;
      return { ...of, chunk, free, numbers: asNumbers(found.numbers), bits: asBits(found.bits) };
    }
    const numbers = new Float64Array(CHUNK);
    const bits = new Uint32Array(CHUNK * widthOf(dimensions));
    const values = [space, model, dimensions, CHUNK, bytesOf(numbers), bytesOf(bits)] as const;
    const { chunk = 0 } = this.#statements.get<{ chunk: number }>(NEW_CHUNK, ...values) ?? {};
    return { ...of, chunk, free: CHUNK, numbers, bits };
  }
}

/** An entry of a space with its vector, of length 1. */
export interface EntryVector {
  readonly space: number;
  readonly number: number;
  readonly values: Float32Array;
}

interface OpenChunk {
  readonly space: number;
  readonly dimensions: number;
  readonly chunk: number;
  /** The number of the entry in each slot; 0 of a free one. */
  readonly numbers: Float64Array;
  readonly bits: Uint32Array;
  /** The number of free slots. */
  free: number;
}

interface ChunkRow {
  readonly chunk: number;
  readonly free: number;
  readonly numbers: Uint8Array;
  readonly bits: Uint8Array;
}

interface PlaceRow extends ChunkRow {
  readonly slot: number;
}

interface VectorRow {
  readonly number: number;
  readonly vector: Uint8Array;
}

// ── bits ────────────────────────────────────────────────────────────────────────────────────────

/** The words of 32 bits that the signs of a vector take. */
function widthOf(dimensions: number): number {
  return Math.ceil(Math.min(dimensions, BITS_MAX) / 32);
}

function signsOf(values: Float32Array): Uint32Array {
  const signs = new Uint32Array(widthOf(values.length));
  const count = Math.min(values.length, BITS_MAX);
  for (let at = 0; at < count; at += 1) {
    const value = values[Math.floor((at * values.length) / count)] ?? 0;
    if (value > 0) signs[at >> 5] = (signs[at >> 5] ?? 0) | (1 << (at & 31));
  }
  return signs;
}

/** In how many signs each slot of a chunk differs. */
function distancesOf(bits: Uint32Array, signs: Uint32Array): Uint16Array {
  const distances = new Uint16Array(CHUNK);
  const width = signs.length;
  for (let slot = 0, at = 0; slot < CHUNK; slot += 1) {
    let distance = 0;
    for (let word = 0; word < width; word += 1, at += 1) {
      let one = (bits[at] as number) ^ (signs[word] as number);
      one -= (one >>> 1) & 0x55555555;
      one = (one & 0x33333333) + ((one >>> 2) & 0x33333333);
      one = (one + (one >>> 4)) & 0x0f0f0f0f;
      distance += Math.imul(one, 0x01010101) >>> 24;
    }
    distances[slot] = distance;
  }
  return distances;
}

/** The distance within which so many entries are. */
function distanceOfRank(
  chunks: readonly { readonly numbers: Float64Array; readonly distances: Uint16Array }[],
  distanceMax: number,
  rank: number,
): number {
  const counts = new Uint32Array(distanceMax + 1);
  for (const { numbers, distances } of chunks)
    for (let slot = 0; slot < CHUNK; slot += 1)
      if (numbers[slot] !== 0)
        counts[distances[slot] as number] = (counts[distances[slot] as number] ?? 0) + 1;
  let within = 0;
  for (let distance = 0; distance <= distanceMax; distance += 1) {
    within += counts[distance] ?? 0;
    if (within >= rank) return distance;
  }
  return distanceMax;
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

function asVector({ buffer, byteOffset, byteLength }: Uint8Array): Float32Array {
  return new Float32Array(buffer, byteOffset, byteLength >> 2);
}

// ── SQL ─────────────────────────────────────────────────────────────────────────────────────────

const WITH_ROOM = `
  SELECT chunk, free, numbers, bits FROM memory_signs
  WHERE space = ? AND model = ? AND dimensions = ? AND free > 0 LIMIT 1`;

const NEW_CHUNK = `
  INSERT INTO memory_signs (space, model, dimensions, free, numbers, bits)
  VALUES (?, ?, ?, ?, ?, ?) RETURNING chunk`;

const UPDATE_CHUNK = "UPDATE memory_signs SET free = ?, numbers = ?, bits = ? WHERE chunk = ?";

const DELETE_CHUNK = "DELETE FROM memory_signs WHERE chunk = ?";

const PLACE = `
  SELECT memory_vectors.chunk AS chunk, slot, free, numbers, bits
  FROM memory_vectors JOIN memory_signs ON memory_signs.chunk = memory_vectors.chunk
  WHERE number = ? AND memory_vectors.model = ?`;

const MODELS_OF = "SELECT model FROM memory_vectors WHERE number = ?";

const INSERT =
  "INSERT INTO memory_vectors (number, model, chunk, slot, vector) VALUES (?, ?, ?, ?, ?)";

const DELETE = "DELETE FROM memory_vectors WHERE number = ? AND model = ?";

const VECTORS = `
  SELECT number, vector FROM memory_vectors
  WHERE model = ? AND number IN (SELECT value FROM json_each(?))`;
