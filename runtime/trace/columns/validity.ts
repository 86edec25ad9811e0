/** Writes which cells of a column are NULL, one bit each, as DuckDB has it. */
import type { Vector } from "@duckdb/node-bindings";
import type { Bindings } from "./column-buffer.ts";

/** Bits for the cells of a column. */
export class Validity {
  readonly #bits: Uint8Array<ArrayBuffer>;
  /** The number of cells so far. */
  count = 0;

  constructor(rows: number) {
    this.#bits = new Uint8Array(new ArrayBuffer(rows / 8));
  }

  set(index: number): void {
    const byte = index >> 3;
    this.#bits[byte] = (this.#bits[byte] ?? 0) | (1 << (index & 7));
    this.count += 1;
  }

  /** Says it to a vector, and is empty again. */
  move(bindings: Bindings, vector: Vector, rows: number): void {
    if (this.count < rows) {
      bindings.vector_ensure_validity_writable(vector);
      bindings.copy_data_to_vector_validity(vector, 0, this.#bits.buffer, 0, bytesFor(rows));
    }
    this.clear();
  }

  clear(): void {
    if (this.count > 0) this.#bits.fill(0);
    this.count = 0;
  }
}

/** DuckDB reads validity by words of 64 bits. */
function bytesFor(rows: number): number {
  return Math.ceil(rows / 64) * 8;
}
