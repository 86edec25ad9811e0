/** The SQL of what people write: between the own tables and the files that all processes read. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { type Table, written } from "../schema/tables.ts";
import { quoted, quotedName, rowsOf } from "./parquet-sql.ts";
import { SEAL_METADATA } from "./seal.ts";

/** Up to which file the tables of a database were brought. */
export const KEPT_VERSION = `
SELECT value
FROM meta
WHERE key = 'kept'`;

export const KEPT_ROWS: string = `SELECT ${written
  .map(({ name }) => `(SELECT count(*) FROM ${name})`)
  .join(" + ")}`;

const own = (database: string, table: string) => `${quotedName(database)}.main.${table}`;

export const NO_KEPT_VERSION = (database: string): string =>
  `DELETE FROM ${own(database, "meta")} WHERE key = 'kept'`;

export const SET_KEPT_VERSION = (database: string): string =>
  `INSERT INTO ${own(database, "meta")} VALUES ('kept', $1)`;

export function emptyTable(database: string, { name }: Table): string {
  return `DELETE FROM ${own(database, name)}`;
}

/** Writes the rows of all these tables to a file: `what` says whose each is. */
export function copyKept(database: string, path: string): string {
  const rows = written.map(
    ({ name }) => `SELECT ${quoted(name)} AS what, *\nFROM ${own(database, name)}`,
  );
  return `COPY (
${rows.join("\nUNION ALL BY NAME\n")}
) TO ${quoted(path)} (FORMAT parquet, COMPRESSION zstd, KV_METADATA {${SEAL_METADATA}})`;
}

/** The columns that a file has: another version's may have others. */
export async function columnsIn(
  connection: DuckDBConnection,
  path: string,
): Promise<ReadonlySet<string>> {
  const sql = `SELECT column_name FROM (DESCRIBE FROM ${rowsOf([path])})`;
  const rows = (await connection.runAndReadAll(sql)).getRowsJS();
  return new Set(rows.map(([name]) => String(name)));
}

/** Puts a table's rows of a file into the own one; with `isNew`, those that are not there yet. */
export function keptFrom(
  database: string,
  of: {
    readonly table: Table;
    readonly path: string;
    readonly columns: ReadonlySet<string>;
    readonly isNew?: boolean;
  },
): string {
  const { table, path, columns, isNew = false } = of;
  const both = Object.keys(table.columns)
    .filter((column) => columns.has(column))
    .join(", ");
  const into = own(database, table.name);
  const known = isNew ? `\nEXCEPT\nSELECT ${both}\nFROM ${into}` : "";
  return `INSERT INTO ${into} (${both})
SELECT ${both}
FROM ${rowsOf([path])}
WHERE what = ${quoted(table.name)}${known}`;
}

/** The same with those of another attached database, which has the same columns. */
export function keptOf(
  own: string,
  { table, database }: { readonly table: Table; readonly database: string },
): string {
  const into = `${quotedName(own)}.main.${table.name}`;
  return `INSERT INTO ${into} (FROM ${quotedName(database)}.main.${table.name} EXCEPT FROM ${into})`;
}
