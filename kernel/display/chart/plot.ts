/** Draws values of one's own: `plot(people, { x: "name", y: "born" })`. */
import { type Row, RunError } from "../../../runtime/index.ts";
import { currentSession } from "../../session.ts";
import { PLAIN } from "../bundle.ts";
import { plainRows } from "../table/plain-rows.ts";
import { queryRows } from "../table/query-rows.ts";
import { Rows } from "../table/rows.ts";
import { tablesNamedIn } from "../table/value-table.ts";
import type { ChartData } from "./chart.ts";
import { isQuick } from "./quick-chart.ts";
import type { QuickChart } from "./quick-types.ts";
import type { Chart, ChartSpec } from "./spec.ts";

/** Rows, the text of a query, or numbers, which are a line. */
export type PlotData = ChartData | readonly number[];

/**
 * Returns a chart of an array of objects, of numbers, of rows or of the text of a query: by a type with the columns that fit
 * it (`"bar"`, `{ x, y, color }`), or by a specification of Vega-Lite. It throws M7632 where they make no such chart.
 */
export function plot(data: PlotData, spec: QuickChart | ChartSpec = {}): Chart {
  let made: Promise<Chart> | undefined;
  const drawn = () => {
    made ??= chartOf(data, spec);
    return made;
  };
  return {
    rows: async () => await (await drawn()).rows(),
    toMimeBundle: async () => await (await drawn()).toMimeBundle(),
    drawing: async () => await (await drawn()).drawing(),
  };
}

const NOTHING = "no values to draw";

/** A chart of nothing, that says so. */
const EMPTY: Chart = {
  rows: async () => new Rows([]),
  toMimeBundle: async () => ({ [PLAIN]: NOTHING }),
  drawing: async () => ({ spec: {}, svg: "", text: NOTHING }),
};

async function chartOf(data: PlotData, spec: QuickChart | ChartSpec): Promise<Chart> {
  if (typeof data === "string") {
    const question = { sql: data, params: [], tables: tablesNamedIn(data) };
    return (await queryRows(await currentSession().traces(), question)).chart(spec);
  }
  const values: unknown = await data;
  if (values instanceof Rows) return values.chart(spec);
  if (Array.isArray(values) && values.length === 0) return EMPTY;
  const rows = plainRows(values);
  if (rows !== undefined) return new Rows(rows).chart(spec);
  if (isNumbers(values)) {
    const numbered = new Rows(values.map((value, index): Row => ({ index, value })));
    const line = { type: "line", x: "index", y: "value" } as const;
    const options = typeof spec === "string" ? { type: spec } : spec;
    return numbered.chart(isQuick(spec) ? { ...line, ...options } : spec);
  }
  throw new RunError("M7632", "these values make no chart", {
    hint: "`plot` takes an array of plain objects or of numbers, rows of `sql`, or the text of a query",
  });
}

function isNumbers(values: unknown): values is readonly number[] {
  return Array.isArray(values) && values.length > 0 && values.every(Number.isFinite);
}
