/** The chart that `%%sql --chart TYPE` makes of its rows: which columns go where, unless the options say so. */
import { nearest } from "../../dsl/index.ts";
import { type Chart, type ChartSpec, type Column, chart, type Rows } from "../display/index.ts";
import { isNumeric } from "../display/table/cell-text.ts";
import type { CHART_TYPES } from "./magics/magic-table.ts";
import type { MagicWord } from "./magics/magic-words.ts";
import { type MagicCall, wrongAt } from "./magics/read-magic.ts";

type ChartType = (typeof CHART_TYPES)[number];

/** Undefined where no chart was asked for. Throws a frame at the option that the rows have nothing for. */
export function chartOf(rows: Rows, call: MagicCall): Chart | undefined {
  const type = call.options.get("--chart");
  if (type === undefined) return undefined;
  const title = call.options.get("--title")?.text;
  const spec = specOf(type.text as ChartType, columnsFor(rows.columns, call, type));
  return chart(rows, { ...spec, ...(title === undefined ? {} : { title }) });
}

interface ChartColumns {
  readonly x: Column;
  readonly y: Column;
  readonly color?: Column;
}

/** The first numbers are the height of the marks, the first column of anything else tells them apart. */
function columnsFor(columns: readonly Column[], call: MagicCall, type: MagicWord): ChartColumns {
  const named = (name: string) => namedColumn(columns, call, name);
  const [x, y, color] = [named("--x"), named("--y"), named("--color")];
  const left = columns.filter((column) => ![x, y, color].includes(column));
  const isHistogram = type.text === "histogram";
  const height = y ?? left.find(isNumeric);
  if (isHistogram) {
    const binned = x ?? height;
    if (binned !== undefined) return { x: binned, y: binned, ...(color && { color }) };
  }
  const across =
    x ??
    left.find((one) => one !== height && !isNumeric(one)) ??
    left.find((one) => one !== height);
  if (height === undefined || across === undefined) throw undrawable(columns, call, type);
  const second = left.find((one) => one !== height && one !== across && !isNumeric(one));
  const told = color ?? (y === undefined && x === undefined ? second : undefined);
  return { x: across, y: height, ...(told === undefined ? {} : { color: told }) };
}

function namedColumn(
  columns: readonly Column[],
  { source, options }: MagicCall,
  option: string,
): Column | undefined {
  const word = options.get(option);
  if (word === undefined) return undefined;
  const found = columns.find(({ name }) => name === word.text);
  if (found !== undefined) return found;
  const names = columns.map(({ name }) => name);
  const meant = nearest(word.text, names);
  throw wrongAt(source, word, {
    code: "M7516",
    message: `the rows have no column \`${word.text}\``,
    hint: meant === undefined ? `they have ${names.join(", ")}` : `did you mean \`${meant}\`?`,
  });
}

function undrawable(columns: readonly Column[], { source }: MagicCall, type: MagicWord) {
  const names = columns.map(({ name, type: of }) => `${name} (${of.toLowerCase()})`).join(", ");
  const what = columns.length < 2 ? "one column alone" : "no column of numbers";
  return wrongAt(source, type, {
    code: "M7516",
    message: `a chart of type \`${type.text}\` can't be drawn of ${what}`,
    hint: `the rows have ${names || "no columns"}; a count is one: SELECT node, count(*) AS runs … GROUP BY node`,
  });
}

function specOf(type: ChartType, { x, y, color }: ChartColumns): ChartSpec {
  const tooltip = [x, y, ...(color === undefined ? [] : [color])].map(field);
  const told = color === undefined ? {} : { color: field(color) };
  switch (type) {
    case "arc":
      return { mark: "arc", encoding: { theta: field(y), color: field(color ?? x), tooltip } };
    case "histogram":
      return {
        mark: "bar",
        encoding: {
          x: { ...field(x), bin: true },
          y: { aggregate: "count", type: "quantitative" },
          ...told,
        },
      };
    default:
      return {
        mark: type === "line" ? { type: "line", point: true } : type,
        // The order of the rows is the order of the query.
        encoding: {
          x: { ...field(x), ...(isNominal(x) ? { sort: null } : {}) },
          y: field(y),
          ...told,
          tooltip,
        },
      };
  }
}

function field(column: Column) {
  const { name } = column;
  if (isNominal(column)) return { field: escaped(name), type: "nominal", title: name };
  return {
    field: escaped(name),
    type: isNumeric(column) ? "quantitative" : "temporal",
    title: name,
  };
}

/** Vega-Lite takes dots and brackets for a path into an object. */
function escaped(name: string): string {
  return name.replace(/[.[\]\\]/g, "\\$&");
}

function isNominal(column: Column): boolean {
  return !isNumeric(column) && !/^(?:TIMESTAMP|DATE)\b/.test(column.type);
}
