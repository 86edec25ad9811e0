/** Reads and replaces the rows of the tables that people write in a trace file, as the store of runs has them. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { WritableRows } from "../../store/run-store.ts";
import { type Table, writableTables } from "../schema/tables.ts";
import { quoted, quotedName, rowsOf } from "../shared/parquet-sql.ts";

type WritableRowValues = WritableRows[keyof WritableRows];

/** The rows of the tables in the database of this name, as the connection sees them in its transaction. */
export async function readRows(
  connection: DuckDBConnection,
  database: string,
): Promise<WritableRows> {
  return await rowsBy(connection, (table) => {
    const columns = Object.keys(table.columns).map((name) => storedValue(table, name));
    return `SELECT ${columns.join(", ")} FROM ${inDatabase(database, table)}`;
  });
}

/** The same of a file that an earlier version wrote; another version's may lack columns. */
export async function readParquetRows(
  connection: DuckDBConnection,
  path: string,
): Promise<WritableRows> {
  const described = await connection.runAndReadAll(`DESCRIBE FROM ${rowsOf([path])}`);
  const there = new Set(described.getRowsJS().map(([name]) => String(name)));
  return await rowsBy(connection, (table) => {
    const columns = Object.keys(table.columns).map((name) =>
      there.has(name) ? storedValue(table, name) : "NULL",
    );
    return `SELECT ${columns.join(", ")} FROM ${rowsOf([path])} WHERE what = ${quoted(table.name)}`;
  });
}

/** Replaces the rows of the tables. */
export async function writeRows(
  connection: DuckDBConnection,
  database: string,
  rows: WritableRows,
): Promise<void> {
  for (const table of writableTables) {
    const into = inDatabase(database, table);
    await connection.run(`DELETE FROM ${into}`);
    const texts = rows[table.name].map((values) =>
      values.map((value) => (value === null ? null : String(value))),
    );
    if (texts.length === 0) continue;
    const columns = Object.values(table.columns).map((type, at) => `row[${at + 1}]::${type}`);
    await connection.run(
      `INSERT INTO ${into} SELECT ${columns.join(", ")} FROM (SELECT unnest($1::JSON::VARCHAR[][]) AS row)`,
      [JSON.stringify(texts)],
    );
  }
}

async function rowsBy(
  connection: DuckDBConnection,
  sqlOf: (table: Table) => string,
): Promise<WritableRows> {
  const rows: [string, WritableRowValues][] = [];
  for (const table of writableTables) {
    const read = await connection.runAndReadAll(sqlOf(table));
    rows.push([table.name, read.getRowsJS() as unknown as WritableRowValues]);
  }
  return Object.fromEntries(rows) as unknown as WritableRows;
}

/** Of type text or number, as the store has it. */
function storedValue({ columns }: Table, name: string): string {
  return columns[name] === "DOUBLE" ? name : `${name}::VARCHAR`;
}

function inDatabase(database: string, { name }: Table): string {
  return `${quotedName(database)}.main.${name}`;
}
