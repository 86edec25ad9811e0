/** Keeps the signs of vectors that were searched last, so that the next search need not read them. */
import type { Statements } from "./statements.ts";

/** A thousand entries and the signs of their vectors; 0 is the number of a free slot. */
export interface SignsOfChunk {
  readonly numbers: Float64Array;
  readonly bits: Uint32Array;
}

/** The signs of one space and model, until somebody writes to the database. */
export class KnownSigns {
  readonly #statements: Statements;
  #known: { readonly of: string; readonly chunks: readonly SignsOfChunk[] } | undefined;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** This connection has written some. */
  forget(): void {
    this.#known = undefined;
  }

  of(space: number, model: string, dimensions: number): readonly SignsOfChunk[] {
    // Another number, once another connection has written.
    const version = this.#statements.get<{ data_version: number }>("PRAGMA data_version");
    const of = JSON.stringify([version?.data_version, space, model, dimensions]);
    if (this.#known?.of === of) return this.#known.chunks;
    const chunks = this.#statements
      .all<ChunkBytes>(CHUNKS, space, model, dimensions)
      .map(({ numbers, bits }) => ({ numbers: asNumbers(numbers), bits: asBits(bits) }));
    // The writes of a transaction may be undone.
    this.#known = this.#statements.database.isTransaction ? undefined : { of, chunks };
    return chunks;
  }
}

interface ChunkBytes {
  readonly numbers: Uint8Array;
  readonly bits: Uint8Array;
}

const CHUNKS = `
  SELECT numbers, bits FROM memory_signs
  WHERE space = ? AND model = ? AND dimensions = ? ORDER BY chunk DESC`;

export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Bytes that do not begin at a whole number are copied. */
export function asNumbers(bytes: Uint8Array): Float64Array {
  const { buffer, byteOffset, byteLength } = byteOffsetIsWhole(bytes) ? bytes : bytes.slice();
  return new Float64Array(buffer, byteOffset, byteLength >> 3);
}

function byteOffsetIsWhole({ byteOffset }: Uint8Array): boolean {
  return byteOffset % Float64Array.BYTES_PER_ELEMENT === 0;
}

export function asBits({ buffer, byteOffset, byteLength }: Uint8Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength >> 2);
}
