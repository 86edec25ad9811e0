/**
 * Writes rows as CSV. A spreadsheet would take some texts for formulas, which may do anything: they get an apostrophe in
 * front.
 */
import { isNumeric } from "./cell-text.ts";
import type { Column, KnownRows } from "./column.ts";
import { bytesText, jsonText } from "./json-rows.ts";

export interface CsvOptions {
  /** Leaves texts that a spreadsheet takes for formulas (`=…`, `+…`, `-…`, `@…`) as they are; for programs that read exactly. */
  readonly formulas?: boolean;
}

/** A line with the names, a line a row; NULL is empty. */
export function csvText(rows: KnownRows, { formulas = false }: CsvOptions = {}): string {
  const { columns } = rows;
  const guard = formulas ? (text: string) => text : guarded;
  const head = columns.map(({ name }) => quoted(guard(name)));
  const lines = Array.from(rows, (row) =>
    columns.map((column) => {
      const text = plainOf(row[column.name]);
      return text === "" && row[column.name] === ""
        ? '""'
        : quoted(isBare(column) ? text : guard(text));
    }),
  );
  return [head, ...lines].map((cells) => `${cells.join(",")}\n`).join("");
}

function plainOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Uint8Array) return bytesText(value);
  return typeof value === "object" ? jsonText(value) : String(value);
}

/** Numbers, times and truth values can't be formulas. */
function isBare(column: Column): boolean {
  return (
    isNumeric(column) || /^(?:TIMESTAMP|DATE|TIME|INTERVAL|BOOLEAN|UUID)\b[^\]]*$/.test(column.type)
  );
}

const FORMULA = "^[=+@\\t\\r\\n＝＋－＠-]";
const NUMBER = "^[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$";
const [formula, number] = [new RegExp(FORMULA), new RegExp(NUMBER)];

function guarded(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The same of a question that is too long to be read: what DuckDB selects for its own CSV. */
export function csvSelect(
  columns: readonly Column[],
  { formulas = false }: CsvOptions = {},
): string {
  return columns
    .map((column) => {
      const name = `"${column.name.replaceAll('"', '""')}"`;
      const head = formulas ? column.name : guarded(column.name);
      return `${selected(column, name, formulas)} AS "${head.replaceAll('"', '""')}"`;
    })
    .join(", ");
}

function selected(column: Column, name: string, formulas: boolean): string {
  if (/^TIMESTAMP\b[^\]]*$/.test(column.type)) return `strftime(${name}, '%Y-%m-%dT%H:%M:%S.%fZ')`;
  if (isBare(column) || formulas) return name;
  const text = `${name}::VARCHAR`;
  const isFormula = `regexp_matches(${text}, '${FORMULA}') AND NOT regexp_matches(${text}, '${NUMBER}')`;
  return `CASE WHEN ${isFormula} THEN '''' || ${text} ELSE ${text} END`;
}

/** Reads a text in CSV as lines of cells, the first of which has the names. Quoted cells may hold commas and line breaks. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const [, quotedCell, bare = "", end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g,
  )) {
    // The match behind the last line break is none of its own.
    if (end === "" && line.length === 0 && quotedCell === undefined && bare === "") break;
    line.push(quotedCell?.replaceAll('""', '"') ?? bare);
    if (end === ",") continue;
    lines.push(line);
    line = [];
    if (end === "") break;
  }
  return lines;
}
