/**
 * Renames columns to names that Vega-Lite writes into expressions unharmed. Vega-Lite writes them and their titles into
 * expressions, and escapes them in part, or, as JupyterLab's does, not at all; a PIVOT makes names of whatever a run has
 * said.
 */
import type { Row } from "../../../runtime/index.ts";
import type { Column } from "../table/column.ts";
import { Rows } from "../table/rows.ts";
import { inner } from "../table/rows-files.ts";
import { cut, visibleLine } from "../visible.ts";

/** The name of a column in a chart: its own, or its number where that could mean something. */
export function plainName({ name }: Column, at: number): string {
  return /^[\p{L}_][\p{L}\p{N}_ ]*$/u.test(name) ? name : `column ${at + 1}`;
}

/** A title that is nothing but text wherever Vega-Lite puts it: in a tooltip, `image` would load a picture. */
export function plainTitle(title: string): string {
  if (title === "image") return "Image";
  return cut(visibleLine(title), 100).replaceAll("\\", "∖").replaceAll('"', "”");
}

/** The rows with such names. */
export function withPlainNames(rows: Rows): Rows {
  const { columns, question, isCut, total } = rows;
  const names = columns.map(plainName);
  if (columns.every(({ name }, at) => name === names[at])) return rows;
  const renamed = Array.from(rows, (row) => {
    const entries = columns.map(({ name }, at) => [names[at], row[name]]);
    return Object.fromEntries(entries) as Row;
  });
  const selected = columns.map(
    ({ name }, at) => `"${name.replaceAll('"', '""')}" AS "${names[at]}"`,
  );
  const origin = question && {
    ...question,
    sql: `SELECT ${selected.join(", ")} FROM (\n${inner(question.sql)}\n)`,
  };
  return new Rows(
    renamed,
    columns.map((column, at) => ({ ...column, name: names[at] ?? "" })),
    { isCut, total, ...(origin === undefined ? {} : { question: origin }) },
  );
}
