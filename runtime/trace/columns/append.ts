/** Appends rows to a table of DuckDB in chunks: by the bindings below the client, else by its public API. */
import { setImmediate } from "node:timers/promises";
import type { DuckDBConnection, DuckDBDataChunk, DuckDBValue } from "@duckdb/node-api";
import type { DataChunk } from "@duckdb/node-bindings";
import type { DuckDb } from "../database/database.ts";
import type { Columns, ColumnValue, RowOf, Table } from "../schema/tables.ts";
import type { Bindings, BufferedCell, ColumnBuffer } from "./column-buffer.ts";
import { numberColumn } from "./number-column.ts";
import { textColumn } from "./text-column.ts";

export interface AppendTo {
  readonly duckdb: DuckDb;
  readonly bindings: Bindings;
  readonly connection: DuckDBConnection;
}

/** Appends rows to a table, chunk by chunk; inside a transaction of the connection they belong to it. */
export async function appendRows<C extends Columns>(
  { duckdb, bindings, connection }: AppendTo,
  table: Table<C>,
  rows: readonly Partial<RowOf<C>>[],
): Promise<void> {
  if (rows.length === 0) return;
  const appender = await connection.createAppender(table.name);
  try {
    const types = Array.from({ length: appender.columnCount }, (_, at) => appender.columnType(at));
    const isOurs = hasAll(bindings);
    const chunk = duckdb.DuckDBDataChunk.create(types);
    for (let first = 0; first < rows.length; first += CHUNK_ROWS) {
      if (first > 0) {
        await setImmediate();
        chunk.reset();
      }
      const part = rows.slice(first, first + CHUNK_ROWS);
      if (isOurs) fillChunk(bindings, chunk.chunk, table, part);
      else fillPlainly(duckdb, chunk, table, part);
      appender.appendDataChunk(chunk);
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}

/** The functions below the public API that the writer calls; another version of the library may lack them. */
const NEEDED = [
  "copy_data_to_vector",
  "copy_data_to_vector_validity",
  "data_chunk_get_vector",
  "data_chunk_set_size",
  "vector_assign_string_element",
  "vector_ensure_validity_writable",
  "vector_get_data",
  "vector_reference_value",
  "create_null_value",
  "create_varchar",
] as const satisfies readonly (keyof Bindings)[];

function hasAll(bindings: Partial<Bindings>): boolean {
  return NEEDED.every((name) => typeof bindings[name] === "function");
}

/** Fills an empty chunk with rows of a table. */
function fillPlainly<C extends Columns>(
  duckdb: DuckDb,
  chunk: DuckDBDataChunk,
  { columns }: Table<C>,
  rows: readonly Partial<RowOf<C>>[],
): void {
  const cells = Object.entries(columns).map(([name, type]) =>
    rows.map((row) => plainValue(duckdb, type, row[name])),
  );
  chunk.setColumns(cells);
}

function plainValue(
  duckdb: DuckDb,
  type: keyof ColumnValue,
  cell: BufferedCell | null | undefined,
): DuckDBValue | null {
  if (cell === null || cell === undefined) return null;
  if (type === "BIGINT") return BigInt(Math.round(Number(cell)));
  if (type !== "TIMESTAMP") return cell;
  return new duckdb.DuckDBTimestampValue(BigInt(Math.round(Number(cell) * 1_000)));
}

/** DuckDB's own vector size is twice that, but the thread has others to serve between two chunks. */
const CHUNK_ROWS = 1_024;

type Buffers = Readonly<Record<string, ColumnBuffer>>;

/** Fills an empty chunk with at most `CHUNK_ROWS` rows of a table. */
function fillChunk<C extends Columns>(
  bindings: Bindings,
  chunk: DataChunk,
  table: Table<C>,
  rows: readonly Partial<RowOf<C>>[],
): void {
  const buffers = buffersOf(table);
  for (let index = 0; index < rows.length; index += 1) putRow(buffers, index, rows[index] ?? {});
  bindings.data_chunk_set_size(chunk, rows.length);
  let at = 0;
  for (const name of Object.keys(table.columns)) {
    buffers[name]?.move(bindings, chunk, { at, rows: rows.length });
    at += 1;
  }
}

/** Writes the cells of a row, by its own members: a row has few of the columns. */
function putRow(
  buffers: Buffers,
  index: number,
  row: Readonly<Record<string, BufferedCell | null | undefined>>,
): void {
  for (const name in row) {
    const cell = row[name];
    if (cell !== null && cell !== undefined) buffers[name]?.put(index, cell);
  }
}

/** Kept from chunk to chunk: everything is moved out of them before the next one. */
const kept = new WeakMap<Columns, Buffers>();

function buffersOf({ columns }: Table): Buffers {
  let buffers = kept.get(columns);
  if (buffers === undefined) {
    const made = Object.entries(columns).map(([name, type]) => [
      name,
      type === "VARCHAR" ? textColumn(CHUNK_ROWS) : numberColumn(type, CHUNK_ROWS),
    ]);
    buffers = Object.assign(Object.create(null), Object.fromEntries(made)) as Buffers;
    kept.set(columns, buffers);
  }
  return buffers;
}
