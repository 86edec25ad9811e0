import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import type { DuckDb } from "./database.ts";
import type { Columns, RowOf, Table } from "./tables.ts";

/** DuckDB's own vector size: a chunk holds no more rows. */
const CHUNK_ROWS = 2_048;

/** Appends rows to a table, chunk by chunk; inside a transaction of the connection they belong to it. */
export async function appendRows<C extends Columns>(
  { duckdb, connection }: { readonly duckdb: DuckDb; readonly connection: DuckDBConnection },
  table: Table<C>,
  rows: readonly RowOf<C>[],
): Promise<void> {
  if (rows.length === 0) return;
  const appender = await connection.createAppender(table.name);
  try {
    const types = Array.from({ length: appender.columnCount }, (_, at) => appender.columnType(at));
    for (let first = 0; first < rows.length; first += CHUNK_ROWS) {
      const chunk = duckdb.DuckDBDataChunk.create(types);
      chunk.setColumns(toColumns(duckdb, table, rows.slice(first, first + CHUNK_ROWS)));
      appender.appendDataChunk(chunk);
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}

function toColumns<C extends Columns>(
  duckdb: DuckDb,
  table: Table<C>,
  rows: readonly RowOf<C>[],
): DuckDBValue[][] {
  return Object.entries(table.columns).map(([column, type]) =>
    rows.map((row) => {
      const value = row[column] ?? null;
      if (typeof value !== "number") return value;
      if (type === "BIGINT") return BigInt(value);
      if (type === "TIMESTAMP") return new duckdb.DuckDBTimestampValue(microseconds(value));
      return value;
    }),
  );
}

/** Milliseconds may have a fraction. */
function microseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1_000));
}
