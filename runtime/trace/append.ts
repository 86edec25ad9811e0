import { setImmediate } from "node:timers/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { DuckDb } from "./database.ts";
import { type Bindings, CHUNK_ROWS, fillChunk } from "./fill-chunk.ts";
import type { Columns, RowOf, Table } from "./tables.ts";

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
    for (let first = 0; first < rows.length; first += CHUNK_ROWS) {
      if (first > 0) await setImmediate();
      const chunk = duckdb.DuckDBDataChunk.create(types);
      fillChunk(bindings, chunk.chunk, table, rows.slice(first, first + CHUNK_ROWS));
      appender.appendDataChunk(chunk);
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}
