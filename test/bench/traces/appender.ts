/** The rows of a table by DuckDB's row Appender, one value a call: what our column writer is held against. */
import type { DuckDb, TraceDatabase } from "../../../runtime/trace/database/database.ts";
import { type EventRow, eventLog } from "../../../runtime/trace/schema/tables.ts";

type Connection = TraceDatabase["writer"];
type Appender = Awaited<ReturnType<Connection["createAppender"]>>;

/** Appends rows of events value by value. */
export async function appendByValue(
  { duckdb, connection }: { readonly duckdb: DuckDb; readonly connection: Connection },
  rows: readonly EventRow[],
): Promise<void> {
  const appender = await connection.createAppender(eventLog.name);
  const columns = Object.entries(eventLog.columns) as [keyof EventRow, ColumnType][];
  for (const row of rows) {
    for (const [name, type] of columns) {
      const cell = row[name];
      if (cell === null || cell === undefined) appender.appendNull();
      else append(appender, { duckdb, type, cell });
    }
    appender.endRow();
  }
  appender.closeSync();
}

type ColumnType = (typeof eventLog.columns)[keyof typeof eventLog.columns];

function append(
  appender: Appender,
  {
    duckdb,
    type,
    cell,
  }: {
    readonly duckdb: DuckDb;
    readonly type: ColumnType;
    readonly cell: string | number | boolean;
  },
): void {
  switch (type) {
    case "VARCHAR":
      appender.appendVarchar(String(cell));
      break;
    case "BOOLEAN":
      appender.appendBoolean(Boolean(cell));
      break;
    case "USMALLINT":
      appender.appendUSmallInt(Number(cell));
      break;
    case "UINTEGER":
      appender.appendUInteger(Number(cell));
      break;
    case "BIGINT":
      appender.appendBigInt(BigInt(cell));
      break;
    case "DOUBLE":
      appender.appendDouble(Number(cell));
      break;
    case "TIMESTAMP": {
      const microseconds = BigInt(Math.round(Number(cell) * 1_000));
      appender.appendTimestamp(new duckdb.DuckDBTimestampValue(microseconds));
    }
  }
}
