/**
 * Rows into a chunk of DuckDB, column by column. By the bindings below `@duckdb/node-api`: that one makes an object of each
 * value and a bigint operation of each NULL, which costs twice as much as everything DuckDB itself does with the row.
 */
import type { DataChunk, Vector } from "@duckdb/node-bindings";
import type { Columns, Held, RowOf, Table } from "./tables.ts";

export type Bindings = typeof import("@duckdb/node-bindings");

/** DuckDB's own vector size: a chunk holds no more rows. */
export const CHUNK_ROWS = 2_048;

type FixedType = Exclude<keyof Held, "VARCHAR">;
type Cells = readonly (Held[keyof Held] | null | undefined)[];

/** Fills an empty chunk with at most `CHUNK_ROWS` rows of a table. */
export function fillChunk<C extends Columns>(
  bindings: Bindings,
  chunk: DataChunk,
  { columns }: Table<C>,
  rows: readonly RowOf<C>[],
): void {
  bindings.data_chunk_set_size(chunk, rows.length);
  for (const [index, [name, type]] of Object.entries(columns).entries()) {
    const vector = bindings.data_chunk_get_vector(chunk, index);
    const cells = rows.map((row) => row[name]);
    if (type === "VARCHAR") fillTexts(bindings, vector, cells);
    else fillNumbers(bindings, vector, { type, cells });
  }
}

function fillTexts(bindings: Bindings, vector: Vector, cells: Cells): void {
  const [first] = cells;
  // Ids and names of a run are the same in all of its rows: such a column is one value to DuckDB.
  if (typeof first === "string" && cells.every((cell) => cell === first)) {
    bindings.vector_reference_value(vector, bindings.create_varchar(first));
    return;
  }
  markNulls(bindings, vector, cells);
  for (const [index, cell] of cells.entries()) {
    if (typeof cell === "string") bindings.vector_assign_string_element(vector, index, cell);
  }
}

function fillNumbers(
  bindings: Bindings,
  vector: Vector,
  { type, cells }: { readonly type: FixedType; readonly cells: Cells },
): void {
  if (markNulls(bindings, vector, cells) === cells.length) return;
  if (type === "BIGINT") fillIntegers(cells, 1);
  // Microseconds; milliseconds may have a fraction.
  else if (type === "TIMESTAMP") fillIntegers(cells, 1_000);
  else fillView(views[type], cells);
  bindings.copy_data_to_vector(vector, 0, buffer, 0, cells.length * bytesOf[type]);
}

function fillView(view: Uint8Array | Uint16Array | Uint32Array | Float64Array, cells: Cells): void {
  for (let index = 0; index < cells.length; index += 1) view[index] = Number(cells[index] ?? 0);
}

/** Without bigints, which would be made for each of them. */
function fillIntegers(cells: Cells, factor: number): void {
  for (let index = 0; index < cells.length; index += 1) {
    const value = Math.round(Number(cells[index] ?? 0) * factor);
    const high = Math.floor(value / WORD);
    views.UINTEGER[2 * index] = value - high * WORD;
    asSigned[2 * index + 1] = high;
  }
}

/** Says which cells are NULL; returns how many. */
function markNulls(bindings: Bindings, vector: Vector, cells: Cells): number {
  let nulls = 0;
  validity.fill(0xff);
  for (const [index, cell] of cells.entries()) {
    if (cell !== null && cell !== undefined) continue;
    nulls += 1;
    validity[index >> 3] = (validity[index >> 3] ?? 0) & ~(1 << (index & 7));
  }
  if (nulls === 0) return 0;
  bindings.vector_ensure_validity_writable(vector);
  const words = Math.ceil(cells.length / 64);
  bindings.copy_data_to_vector_validity(vector, 0, validity.buffer, 0, words * 8);
  return nulls;
}

// Everything is copied out before the next column, and DuckDB is little-endian like all machines that Node runs on.
const buffer = new ArrayBuffer(CHUNK_ROWS * 8);
const validity = new Uint8Array(CHUNK_ROWS / 8);
const asSigned = new Int32Array(buffer);
const views = {
  BOOLEAN: new Uint8Array(buffer),
  USMALLINT: new Uint16Array(buffer),
  UINTEGER: new Uint32Array(buffer),
  DOUBLE: new Float64Array(buffer),
} as const;
const bytesOf = {
  BOOLEAN: 1,
  USMALLINT: 2,
  UINTEGER: 4,
  BIGINT: 8,
  DOUBLE: 8,
  TIMESTAMP: 8,
} as const;
const WORD = 2 ** 32;
