/**
 * Writes rows into a chunk of DuckDB column by column, by the bindings below `@duckdb/node-api`: that package makes an
 * object of each value and a bigint operation of each NULL, which takes twice as long as everything DuckDB itself does with
 * the row.
 */

import type { DataChunk } from "@duckdb/node-bindings";
import type { Columns, RowOf, Table } from "../schema/tables.ts";
import type { Bindings, BufferedCell, ColumnBuffer } from "./column-buffer.ts";
import { numberColumn } from "./number-column.ts";
import { textColumn } from "./text-column.ts";

/** DuckDB's own vector size is twice that, but the thread has others to serve between two chunks. */
export const CHUNK_ROWS = 1_024;

type Buffers = Readonly<Record<string, ColumnBuffer>>;

/** Fills an empty chunk with at most `CHUNK_ROWS` rows of a table. */
export function fillChunk<C extends Columns>(
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

/** By what the row has, since it has few of the columns. */
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
