/** Appends rows to a table of DuckDB, chunk by chunk, by the fastest way that the library offers. */
import { setImmediate } from "node:timers/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { DuckDb } from "../database/database.ts";
import type { Columns, RowOf, Table } from "../schema/tables.ts";
import type { Bindings } from "./column-buffer.ts";
import { CHUNK_ROWS, fillChunk } from "./fill-chunk.ts";
import { fillPlainly } from "./plain-chunk.ts";

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

/** What our writer calls below the public API; another version of the library may be without. */
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
