/** Declares the column types of query results for later cells. */
import type { Column, Rows } from "../../display/index.ts";
import { isNumeric } from "../../display/table/cell-text.ts";
import type { AtWork } from "../notebook.ts";

/** Gives the rows of a `%%sql` cell a name, as if a TypeScript cell had declared them. */
export async function saveRows(
  name: string,
  rows: Rows,
  { cell, notebook }: AtWork,
): Promise<void> {
  const { parts, names } = notebook;
  await cell.orCancelled(parts.types().declare({ name, type: typeOfSaved(rows) }));
  names[name] = rows;
}

function typeOfSaved(rows: Rows): string {
  const own = `Pick<import("madrigal").Rows, "columns" | "question" | "isCut" | "total" | "pageCount" | "page" | "chart" | "csv" | "json" | "parquet">`;
  return `readonly ${typeOfRow(rows, "unknown")}[] & ${own}`;
}

/** Declares constants of a cell that has run once more, when they hold rows of a query: with the types of their columns. */
export async function typeRows(
  untyped: readonly string[],
  { cell, notebook }: AtWork,
): Promise<void> {
  const { parts, names } = notebook;
  for (const name of untyped) {
    const rows = names[name];
    if (!areRows(rows) || rows.columns.length === 0) continue;
    const type = `import("madrigal").Rows<${typeOfRow(rows, `import("madrigal").Row[string]`)}>`;
    await cell.orCancelled(parts.types().declare({ name, type, isConstant: true }));
  }
}

/** The compiler said that they are `Rows`; a class of the user may have that name as well. */
function areRows(value: unknown): value is Rows {
  return Array.isArray(value) && "columns" in value && Array.isArray(value.columns);
}

/** Returns the type of a row by the types of its columns in DuckDB, before there is any: each value may be NULL. */
export function typeOfColumns(columns: readonly Column[]): string {
  const members = columns.map((column) => {
    const known = typeOfName(column);
    const type = known === undefined ? `import("madrigal").Row[string]` : `${known} | null`;
    return `readonly ${JSON.stringify(column.name)}: ${type}`;
  });
  return `{ ${members.join("; ")} }`;
}

/**
 * Returns the TypeScript type of a row; a column of anything but text, numbers and booleans has the
 * type `other`.
 */
function typeOfRow(rows: Rows, other: string): string {
  const members = rows.columns.map(
    (column) => `readonly ${JSON.stringify(column.name)}: ${typeOfColumn(column, rows) ?? other}`,
  );
  return `{ ${members.join("; ")} }`;
}

/**
 * Returns the type of a column by its values: one that may hold NULL and holds none needs no check.
 */
function typeOfColumn(column: Column, rows: Rows): string | undefined {
  const types = new Set(rows.map((row) => typeOfValue(row[column.name])));
  if (types.has(undefined)) return undefined;
  const known = [...types].sort().join(" | ");
  if (known !== "" && known !== "null") return known;
  // No value says what it is: another run of the same query may have some.
  const declared = typeOfName(column);
  return known === "" || declared === undefined ? declared : `${declared} | ${known}`;
}

function typeOfValue(value: unknown): string | undefined {
  if (value === null || value === undefined) return "null";
  const type = typeof value;
  return ["string", "number", "boolean"].includes(type) ? type : undefined;
}

/**
 * Returns the type of a column by its type in DuckDB; undefined for others than numbers, booleans
 * and texts.
 */
function typeOfName(column: Column): string | undefined {
  if (isNumeric(column)) return "number";
  if (column.type === "BOOLEAN") return "boolean";
  return /^(?:VARCHAR|TIMESTAMP|DATE)/.test(column.type) ? "string" : undefined;
}
