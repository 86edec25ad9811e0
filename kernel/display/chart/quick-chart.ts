/** Chooses the columns of a chart from the rows, unless the caller names them. */

import { nearest } from "../../../dsl/index.ts";
import { type Row, RunError } from "../../../runtime/index.ts";
import { isNumeric } from "../table/cell-text.ts";
import type { Column } from "../table/column.ts";
import type { Rows } from "../table/rows.ts";
import { plainName, plainTitle } from "./plain-names.ts";
import { QUICK_CHARTS, type QuickChart, type QuickOptions, type QuickType } from "./quick-types.ts";
import type { ChartSpec, Title } from "./spec.ts";

/** The reason why rows make no such chart; `at` is the part of the specification to change. */
export interface Unfit {
  readonly at: "type" | "x" | "y" | "color";
  readonly message: string;
  readonly hint: string;
}

export function isUnfit(spec: ChartSpec | Unfit): spec is Unfit {
  return "at" in spec;
}

/** Returns whether a specification is a short one of ours; one of Vega-Lite has a `mark`. */
export function isQuick(spec: QuickChart | ChartSpec): spec is QuickChart {
  return (
    typeof spec === "string" || (typeof spec === "object" && spec !== null && !("mark" in spec))
  );
}

/** Throws where the columns do not fit. */
export function fittingSpec(rows: Rows, asked: QuickChart): ChartSpec {
  const options = typeof asked === "string" ? { type: asked } : asked;
  const { type } = options;
  if (type !== undefined && !QUICK_CHARTS.includes(type)) {
    throw new RunError("M7632", `there is no chart of type \`${String(type)}\``, {
      hint: `there are ${QUICK_CHARTS.join(", ")}; anything else is a specification of Vega-Lite, with its \`mark\``,
    });
  }
  const spec = quickSpec(rows.columns, options, rows);
  if (isUnfit(spec)) throw new RunError("M7632", spec.message, { hint: spec.hint });
  return spec;
}

/** A column, and what it is called in the chart. */
interface Charted extends Column {
  readonly field: string;
}

/**
 * The first numbers are the height of the marks, the first column of anything else tells them apart. The specification is for
 * `withPlainNames` of the rows.
 */
export function quickSpec(
  all: readonly Column[],
  options: QuickOptions,
  rows: readonly Row[],
): ChartSpec | Unfit {
  const columns = all.map((column, at) => ({ ...column, field: plainName(column, at) }));
  const named: { x?: Charted; y?: Charted; color?: Charted } = {};
  for (const at of ["x", "y", "color"] as const) {
    const name = options[at];
    if (name === undefined) continue;
    const found = columns.find((column) => column.name === name);
    if (found === undefined) return unknownColumn(at, name, columns);
    named[at] = found;
  }
  const { type = "bar", title } = options;
  const chosen = columnsFor(columns, named, type);
  if (chosen === undefined) return undrawable(columns, type);
  const fitting = options.type ?? fittingType(chosen);
  const unfit = withoutFigures(fitting, chosen, options.y === undefined ? "type" : "y");
  if (unfit !== undefined) return unfit;
  const empty = [chosen.y, chosen.x].find((column) => isEmpty(column, rows));
  return {
    ...specOf(fitting, chosen),
    ...(title === undefined ? {} : { title: plainTitle(title) }),
    ...(empty === undefined ? {} : { title: emptyTitle(title ?? empty.name) }),
  };
}

interface Chosen {
  readonly x: Charted;
  readonly y: Charted;
  readonly color?: Charted;
}

function columnsFor(
  columns: readonly Charted[],
  { x, y, color }: Partial<Chosen>,
  type: QuickType,
): Chosen | undefined {
  const left = columns.filter((column) => ![x, y, color].includes(column));
  const height = y ?? left.find(isNumeric);
  if (type === "histogram") {
    const binned = x ?? height;
    if (binned !== undefined) return { x: binned, y: binned, ...(color && { color }) };
  }
  const across =
    x ??
    left.find((one) => one !== height && !isNumeric(one)) ??
    left.find((one) => one !== height);
  if (height === undefined || across === undefined) return undefined;
  const second = left.find((one) => one !== height && one !== across && !isNumeric(one));
  const colorColumn = color ?? (y === undefined && x === undefined ? second : undefined);
  return { x: across, y: height, ...(colorColumn === undefined ? {} : { color: colorColumn }) };
}

/** The types whose marks are as long, high or wide as a figure. */
const MEASURED: readonly QuickType[] = ["bar", "line", "area", "arc", "histogram"];

/** Names without a figure would be drawn as an empty chart. */
function withoutFigures(type: QuickType, { x, y }: Chosen, at: Unfit["at"]): Unfit | undefined {
  const isMeasured = type === "arc" ? isNumeric(y) : isNumeric(x) || isNumeric(y);
  if (isMeasured || !MEASURED.includes(type)) return undefined;
  return {
    at,
    message: `\`${y.name}\` (${y.type.toLowerCase()}) has no figures for a chart of type \`${type}\``,
    hint: "a column of numbers gives the marks their size; a count is one: SELECT node, count(*) AS runs … GROUP BY node",
  };
}

/** Costs are, where no price of a model is known. */
function isEmpty(column: Charted, rows: readonly Row[]): boolean {
  if (rows.length === 0 || !isNumeric(column)) return false;
  return rows.every((row) => (row[column.name] ?? null) === null);
}

function emptyTitle(title: string): Title {
  return { text: plainTitle(title), subtitle: "no figures: all values are NULL" };
}

/** Times make a line, two numbers points. */
function fittingType({ x }: Chosen): QuickType {
  if (isNominal(x)) return "bar";
  return isNumeric(x) ? "point" : "line";
}

function unknownColumn(at: Unfit["at"], name: string, columns: readonly Column[]): Unfit {
  const names = columns.map((column) => column.name);
  const meant = nearest(name, names);
  return {
    at,
    message: `the rows have no column \`${name}\``,
    hint: meant === undefined ? `they have ${names.join(", ")}` : `did you mean \`${meant}\`?`,
  };
}

function undrawable(columns: readonly Column[], type: QuickType): Unfit {
  const names = columns.map(({ name, type: of }) => `${name} (${of.toLowerCase()})`).join(", ");
  const what = columns.length < 2 ? "one column alone" : "no column of numbers";
  return {
    at: "type",
    message: `a chart of type \`${type}\` can't be drawn of ${what}`,
    hint: `the rows have ${names || "no columns"}; a count is one: SELECT node, count(*) AS runs … GROUP BY node`,
  };
}

function specOf(type: QuickType, { x, y, color }: Chosen): ChartSpec {
  const tooltip = [x, y, ...(color === undefined ? [] : [color])].map(field);
  const colorEncoding = color === undefined ? {} : { color: field(color) };
  switch (type) {
    case "arc":
      return { mark: "arc", encoding: { theta: field(y), color: field(color ?? x), tooltip } };
    case "histogram":
      return {
        mark: "bar",
        encoding: {
          x: { ...field(x), bin: true },
          y: { aggregate: "count", type: "quantitative" },
          ...colorEncoding,
        },
      };
    default:
      return {
        mark: type === "line" ? { type: "line", point: true } : type,
        // The order of the rows is the order of the query.
        encoding: {
          x: { ...field(x), ...(isNominal(x) ? { sort: null } : {}) },
          y: field(y),
          ...colorEncoding,
          tooltip,
        },
      };
  }
}

function field({ name, field, type }: Charted) {
  const title = plainTitle(name);
  if (isNominal({ name, type })) return { field, type: "nominal", title };
  return { field, type: isNumeric({ name, type }) ? "quantitative" : "temporal", title };
}

function isNominal(column: Column): boolean {
  return !isNumeric(column) && !/^(?:TIMESTAMP|DATE)\b/.test(column.type);
}
