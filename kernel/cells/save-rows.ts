/** Gives the rows of a query to later cells, typed by what is in them. */
import type { Column, Rows } from "../display/index.ts";
import { isNumeric } from "../display/table/cell-text.ts";
import type { AtWork } from "./notebook.ts";

/** As if a TypeScript cell had declared them. */
export async function saveRows(
  name: string,
  rows: Rows,
  { cell, notebook }: AtWork,
): Promise<void> {
  const { parts, names } = notebook;
  await cell.orCancelled(parts.types().declare({ name, type: typeOfRows(rows) }));
  names[name] = rows;
}

function typeOfRows(rows: Rows): string {
  const members = rows.columns.map(
    (column) => `readonly ${JSON.stringify(column.name)}: ${typeOfColumn(column, rows)}`,
  );
  const own = `Pick<import("madrigal").Rows, "columns" | "question" | "isCut" | "total" | "pageCount" | "page" | "chart" | "csv" | "json" | "parquet">`;
  return `readonly { ${members.join("; ")} }[] & ${own}`;
}

/** By the values themselves: a column that may hold NULL and holds none needs no check. */
function typeOfColumn(column: Column, rows: Rows): string {
  const types = new Set(rows.map((row) => typeOfValue(row[column.name])));
  if (types.size > 0 && !types.has("unknown")) return [...types].sort().join(" | ");
  if (types.size > 0) return "unknown";
  if (isNumeric(column)) return "number";
  if (column.type === "BOOLEAN") return "boolean";
  return /^(?:VARCHAR|TIMESTAMP|DATE)/.test(column.type) ? "string" : "unknown";
}

function typeOfValue(value: unknown): string {
  if (value === null || value === undefined) return "null";
  const type = typeof value;
  return ["string", "number", "boolean"].includes(type) ? type : "unknown";
}
