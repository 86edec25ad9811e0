/**
 * Rows into a chunk of DuckDB, column by column. By the bindings below `@duckdb/node-api`: that one makes an object of each
 * value and a bigint operation of each NULL, which costs twice as much as everything DuckDB itself does with the row.
 */
import type { DataChunk, Vector } from "@duckdb/node-bindings";
import type { Columns, Held, RowOf, Table } from "./tables.ts";

export type Bindings = typeof import("@duckdb/node-bindings");

/** DuckDB's own vector size is four times that, but the thread has others to serve between two chunks. */
export const CHUNK_ROWS = 512;

type FixedType = Exclude<keyof Held, "VARCHAR">;
type Cell = Held[keyof Held];

/** The cells of a column; what is not there is NULL. */
interface Column {
  readonly cells: (Cell | undefined)[];
  /** How many there are. */
  count: number;
}

/** Fills an empty chunk with at most `CHUNK_ROWS` rows of a table. */
export function fillChunk<C extends Columns>(
  bindings: Bindings,
  chunk: DataChunk,
  { columns }: Table<C>,
  rows: readonly Partial<RowOf<C>>[],
): void {
  bindings.data_chunk_set_size(chunk, rows.length);
  const filled = columnsOf(columns, rows);
  for (const [index, [name, type]] of Object.entries(columns).entries()) {
    const vector = bindings.data_chunk_get_vector(chunk, index);
    const column = filled.get(name);
    if (column === undefined) continue;
    if (type === "VARCHAR") fillTexts(bindings, vector, column);
    else fillNumbers(bindings, vector, type, column);
  }
}

/** By what the rows have, since they have few of the columns. */
function columnsOf<C extends Columns>(
  columns: C,
  rows: readonly Partial<RowOf<C>>[],
): ReadonlyMap<string, Column> {
  const filled = new Map<string, Column>();
  for (const name of Object.keys(columns))
    filled.set(name, { cells: new Array(rows.length), count: 0 });
  for (let index = 0; index < rows.length; index += 1) {
    const row: Readonly<Record<string, Cell | null | undefined>> = rows[index] ?? {};
    for (const name of Object.keys(row)) {
      const cell = row[name];
      const column = cell === null || cell === undefined ? undefined : filled.get(name);
      if (column === undefined) continue;
      column.cells[index] = cell ?? undefined;
      column.count += 1;
    }
  }
  return filled;
}

function fillTexts(bindings: Bindings, vector: Vector, { cells, count }: Column): void {
  const [first] = cells;
  // Ids and names of a run are the same in all of its rows: such a column is one value to DuckDB.
  if (typeof first === "string" && count === cells.length && isAll(cells, first)) {
    bindings.vector_reference_value(vector, bindings.create_varchar(first));
    return;
  }
  markNulls(bindings, vector, { cells, count });
  for (let index = 0; index < cells.length && count > 0; index += 1) {
    const cell = cells[index];
    if (typeof cell === "string") bindings.vector_assign_string_element(vector, index, cell);
  }
}

function isAll(cells: Column["cells"], value: Cell): boolean {
  for (let index = 0; index < cells.length; index += 1) if (cells[index] !== value) return false;
  return true;
}

function fillNumbers(bindings: Bindings, vector: Vector, type: FixedType, column: Column): void {
  const { cells, count } = column;
  markNulls(bindings, vector, column);
  if (count === 0) return;
  if (type === "BIGINT") fillIntegers(cells, 1);
  // Microseconds; milliseconds may have a fraction.
  else if (type === "TIMESTAMP") fillIntegers(cells, 1_000);
  else fillView(views[type], cells);
  bindings.copy_data_to_vector(vector, 0, buffer, 0, cells.length * bytesOf[type]);
}

function fillView(
  view: Uint8Array | Uint16Array | Uint32Array | Float64Array,
  cells: Column["cells"],
): void {
  for (let index = 0; index < cells.length; index += 1) view[index] = Number(cells[index] ?? 0);
}

/** Without bigints, which would be made for each of them. */
function fillIntegers(cells: Column["cells"], factor: number): void {
  for (let index = 0; index < cells.length; index += 1) {
    const value = Math.round(Number(cells[index] ?? 0) * factor);
    const high = Math.floor(value / WORD);
    views.UINTEGER[2 * index] = value - high * WORD;
    asSigned[2 * index + 1] = high;
  }
}

/** Says which cells are NULL. */
function markNulls(bindings: Bindings, vector: Vector, { cells, count }: Column): void {
  if (count === cells.length) return;
  const words = Math.ceil(cells.length / 64);
  validity.fill(0, 0, words * 8);
  for (let index = 0; index < cells.length && count > 0; index += 1) {
    if (cells[index] === undefined) continue;
    validity[index >> 3] = (validity[index >> 3] ?? 0) | (1 << (index & 7));
  }
  bindings.vector_ensure_validity_writable(vector);
  bindings.copy_data_to_vector_validity(vector, 0, validity.buffer, 0, words * 8);
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
