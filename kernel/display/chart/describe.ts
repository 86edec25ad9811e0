/** Describes a chart in words: what is drawn, how many marks, and the ends of each axis. */
import type { Row } from "../../../runtime/index.ts";
import { type TextColumn, textTable } from "../text-table.ts";
import { counted, cut, visible, visibleLine } from "../visible.ts";
import { fieldPath, valueAt } from "./field-path.ts";
import { type ChartSpec, type Encoding, encodingsOf, markName } from "./spec.ts";

/** `figures` are what is listed of each mark; of many, of the first. */
export function describeChart(
  spec: ChartSpec,
  rows: readonly Row[],
  figures: readonly TextColumn<Row>[] = [],
): string {
  const [first, ...rest] = titleLines(spec);
  const count = counted(rows.length, "mark");
  const channels = encodingsOf(spec).flatMap(([channel, encoding]) =>
    SHOWN.has(channel) && encoding.field !== undefined
      ? [`  ${channel}: ${channelText(encoding, rows)}`]
      : [],
  );
  const head = first === undefined ? "" : `${first}: `;
  const listed = figures.length === 0 || rows.length === 0 ? [] : ["", figuresTable(figures, rows)];
  return visible(
    [`${head}${markName(spec)} chart of ${count}`, ...rest, ...channels, ...listed].join("\n"),
  );
}

const FIGURES_SHOWN = 40;

function figuresTable(figures: readonly TextColumn<Row>[], rows: readonly Row[]): string {
  const columns = figures.map((column) => ({
    ...column,
    cell: (row: Row) => cut(visibleLine(column.cell(row)), 60),
  }));
  const more = rows.length - FIGURES_SHOWN;
  const table = textTable(columns, rows.slice(0, FIGURES_SHOWN));
  return more > 0 ? `${table}\n… and ${counted(more)} more` : table;
}

const SHOWN = new Set(["x", "y", "x2", "y2", "color", "size", "theta", "row", "column", "facet"]);

export function titleLines({ title }: ChartSpec): readonly string[] {
  if (title === undefined) return [];
  if (typeof title === "string") return [title];
  return [title.text, ...(title.subtitle === undefined ? [] : [title.subtitle].flat())].map(String);
}

function channelText({ field = "", title }: Encoding, rows: readonly Row[]): string {
  const name = typeof title === "string" && title !== field ? `${field} (${title})` : field;
  const path = fieldPath(field);
  const values = rows
    .map((row) => valueAt(row, path))
    .filter((value) => value !== null && value !== undefined);
  const numbers = values.filter((value) => typeof value === "number");
  if (values.length === 0) return `${name}, no value`;
  if (numbers.length === values.length) return `${name}, ${extremes(numbers)}`;
  const kinds = [...new Set(values.map(String))];
  const listed = kinds
    .slice(0, 8)
    .map((kind) => cut(visibleLine(kind), 40))
    .join(", ");
  return `${name}, ${kinds.length > 8 ? `${kinds.length} values: ${listed}, …` : listed}`;
}

function extremes(numbers: readonly number[]): string {
  const low = numbers.reduce((least, number) => Math.min(least, number));
  const high = numbers.reduce((most, number) => Math.max(most, number));
  return low === high ? `always ${rounded(low)}` : `${rounded(low)} to ${rounded(high)}`;
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(6)));
}
