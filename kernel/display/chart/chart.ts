/** Makes a chart of rows or of SQL that DuckDB groups: Vega-Lite, a picture and words. */

import { type Row, RunError, type TraceStore } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { currentSession } from "../../session.ts";
import { bundleOf, PLAIN, SVG, VEGA_LITE } from "../bundle.ts";
import type { ColumnQuestion } from "../table/column.ts";
import { queryRows } from "../table/query-rows.ts";
import { drawRowsBy, Rows } from "../table/rows.ts";
import { tablesNamedIn } from "../table/value-table.ts";
import type { TextColumn } from "../text-table.ts";
import { counted, visible } from "../visible.ts";
import { CHART_CONFIG, FITTED } from "./config.ts";
import { describeChart, titleLines } from "./describe.ts";
import { fieldPath } from "./field-path.ts";
import { plainTitle, withPlainNames } from "./plain-names.ts";
import { binnedFields, type Extents, extentSql, pushDown } from "./push-down.ts";
import { fittingSpec, isQuick } from "./quick-chart.ts";
import { renderSvg } from "./render.ts";
import {
  type Chart,
  type ChartDrawing,
  type ChartSpec,
  type Encoding,
  encodingsOf,
  isGrouping,
  isList,
  unfit,
} from "./spec.ts";
import { tooltipPicture } from "./tooltip-picture.ts";

/** Rows, a promise of rows as the `sql` tag gives it, or the text of a question. */
export type ChartData = string | readonly object[] | PromiseLike<readonly object[]>;

/** A chart that shows itself; nothing is asked or drawn before it does. */
export function chart(data: ChartData, spec: ChartSpec): Chart {
  assertSpec(spec);
  return lazyChart(() => drawn(data, spec));
}

/** The content of a chart: its specification and one row a mark. */
export interface DrawnChart {
  readonly spec: ChartSpec;
  readonly rows: readonly Row[];
  /** The columns of the text beside the picture. */
  readonly figures?: readonly TextColumn<Row>[];
}

/** A chart whose rows are asked for once, when it is first shown. */
export function lazyChart(draw: () => Promise<DrawnChart>): Chart {
  return new LazyChart(draw);
}

class LazyChart implements Chart {
  readonly #draw: () => Promise<DrawnChart>;
  #drawn: Promise<DrawnChart> | undefined;

  constructor(draw: () => Promise<DrawnChart>) {
    this.#draw = draw;
  }

  async rows(): Promise<readonly Row[]> {
    return (await this.#drawing()).rows;
  }

  async toMimeBundle(): Promise<Bundle["data"]> {
    return await chartData(await this.#drawing());
  }

  async drawing(): Promise<ChartDrawing> {
    const data = await this.toMimeBundle();
    return { spec: data[VEGA_LITE], svg: String(data[SVG]), text: String(data[PLAIN]) };
  }

  #drawing(): Promise<DrawnChart> {
    this.#drawn ??= this.#draw();
    return this.#drawn;
  }
}

drawRowsBy((rows, spec = {}) => {
  if (isQuick(spec)) return chart(withPlainNames(rows), fittingSpec(rows, spec));
  return chart(rows, spec as ChartSpec);
});

// ── which rows ──────────────────────────────────────────────────────────────────────────────────

const MARKS_MAX = 5_000;

async function drawn(data: ChartData, spec: ChartSpec): Promise<DrawnChart> {
  if (typeof data === "string")
    return await askedFor({ sql: data, params: [], tables: tablesNamedIn(data) }, spec);
  const rows = (await data) as readonly Row[];
  if (rows.length > MARKS_MAX && isGrouping(spec) && rows instanceof Rows && rows.question) {
    return await askedFor(rows.question, spec);
  }
  checkedChart({ spec, rows });
  return { spec, rows: Array.from(rows, (row) => plainParts(row) as Row) };
}

async function askedFor({ sql, ...asked }: ColumnQuestion, spec: ChartSpec): Promise<DrawnChart> {
  const traces = await currentSession().traces();
  const source = sql.replace(/;\s*$/, "");
  const pushed = pushDown(spec, await extentsOf(traces, spec, { sql: source, ...asked }));
  if (pushed === undefined) {
    return checkedChart({ spec, rows: await queryRows(traces, { sql: source, ...asked }) });
  }
  const rows = await queryRows(traces, { sql: pushed.sql(source), ...asked });
  return checkedChart({ spec: pushed.spec, rows });
}

async function extentsOf(
  traces: TraceStore,
  spec: ChartSpec,
  { sql, params, tables = [] }: ColumnQuestion,
): Promise<Extents> {
  const fields = binnedFields(spec);
  if (fields.length === 0) return new Map();
  const { rows } = await traces.ask(extentSql(fields, sql), params, { tables });
  const [row = {}] = rows;
  return new Map(
    fields.map((field, index) => [
      field,
      { low: Number(row[`low_${index}`] ?? 0), high: Number(row[`high_${index}`] ?? 0) },
    ]),
  );
}

// ── what must hold ──────────────────────────────────────────────────────────────────────────────

function assertSpec(spec: ChartSpec): void {
  if (typeof spec !== "object" || spec === null) throw unfit("its specification is no object");
  const outside = outsideOf(spec);
  if (outside !== undefined) throw outside;
}

/** The first part of a specification that loads something, or leads somewhere. */
function outsideOf(part: unknown): RunError | undefined {
  if (typeof part !== "object" || part === null) return undefined;
  for (const [key, value] of Object.entries(part)) {
    const outside = outsideAt(key, value) ?? outsideOf(value);
    if (outside !== undefined) return outside;
  }
  return undefined;
}

function outsideAt(key: string, value: unknown): RunError | undefined {
  if (key === "data") {
    return new RunError("M7603", "the specification of a chart brings its own `data`", {
      hint: "leave `data` out; the rows are the first argument of `chart`",
    });
  }
  if (LEADING_OUT.has(key)) {
    return new RunError("M7603", `the specification of a chart has \`${key}\``, {
      hint: `leave \`${key}\` out; a chart loads nothing and has no links`,
    });
  }
  if ((key === "mark" || key === "type") && value === "image") {
    return new RunError("M7603", "the marks of a chart are images", {
      hint: "choose another mark: a chart may not load files",
    });
  }
  return undefined;
}

// `usermeta` holds what Vega's own front end takes for its options, addresses among them.
const LEADING_OUT = new Set(["href", "url", "usermeta"]);

/** The same chart, when there are rows for its fields, and not too many. */
export function checkedChart(chart: DrawnChart): DrawnChart {
  const { spec, rows } = chart;
  if (rows.length > MARKS_MAX) {
    throw new RunError(
      "M7601",
      `the chart would have ${counted(rows.length, "mark")}; ${counted(MARKS_MAX)} is the most`,
      {
        hint: 'give `chart` the SQL text and let an encoding add up: `y: { aggregate: "sum", … }`',
      },
    );
  }
  const picture = tooltipPicture(spec, rows);
  if (picture !== undefined) {
    throw new RunError(
      "M7603",
      `${picture} is called \`image\`, and tooltips load such a picture`,
      {
        hint: "give it another name or title: a chart may not load files",
      },
    );
  }
  if (rows.length === 0 || spec.transform !== undefined) return chart;
  const columns = new Set(rows.flatMap((row) => Object.keys(row)));
  for (const [channel, { field, aggregate }] of encodingsOf(spec)) {
    // In a `repeat` it is an object; a count has no field.
    if (typeof field !== "string" || aggregate === "count") continue;
    const [column = ""] = fieldPath(field);
    if (!columns.has(column)) {
      const list = [...columns].map((name) => `\`${name}\``).join(", ");
      throw unfit(`\`${channel}\` shows \`${field}\`, and the rows have ${list}`);
    }
  }
  return chart;
}

// ── what is shown ───────────────────────────────────────────────────────────────────────────────

// A name, not an address: nothing loads it.
const SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json";

async function chartData({ spec, rows, figures }: DrawnChart): Promise<Bundle["data"]> {
  const plain = describeChart(spec, rows, figures);
  const full = plainParts({
    $schema: SCHEMA,
    ...(needsFitting(spec, rows) ? FITTED : {}),
    ...spec,
    ...drawableTitle(spec),
    ...(spec.encoding === undefined ? {} : { encoding: utc(spec.encoding) }),
    data: { values: rows },
    config: { ...CHART_CONFIG, ...(spec.config as object | undefined) },
  }) as Readonly<Record<string, unknown>>;
  const [title = "Chart"] = titleLines(spec);
  const svg = await renderSvg(full, { title, description: plain });
  return bundleOf({ [VEGA_LITE]: full, [SVG]: svg, [PLAIN]: plain }).data;
}

const BANDS_MAX = 25;

/**
 * Returns whether a chart has no width and would not fit by default: a quantity along x, or many
 * names.
 */
function needsFitting(spec: ChartSpec, rows: readonly Row[]): boolean {
  const { x, column, facet, row } = spec.encoding ?? {};
  if (spec.width !== undefined || "autosize" in spec || x === undefined || isList(x)) return false;
  if (SEVERAL_VIEWS.some((word) => word in spec) || (column ?? facet ?? row) !== undefined)
    return false;
  const { field, type, bin, aggregate } = x;
  if (type === "quantitative" || type === "temporal" || aggregate !== undefined) return true;
  if (bin !== undefined || field === undefined) return false;
  return new Set(rows.map((one) => one[field])).size > BANDS_MAX;
}

const SEVERAL_VIEWS = ["facet", "repeat", "concat", "hconcat", "vconcat"];

/** Vega looks a title up among its own words, and finds what every object has: `toString` would be no text. */
function drawableTitle({ title }: ChartSpec): Pick<ChartSpec, "title"> {
  if (title === undefined) return {};
  const drawable = (text: unknown) =>
    typeof text === "string" && text in Object.prototype ? `${text} ` : text;
  if (typeof title === "string") return { title: drawable(title) as string };
  const entries = Object.entries(title).map(([key, text]) => [key, drawable(text)]);
  return { title: Object.fromEntries(entries) };
}

/** Times are UTC, wherever the kernel and the front end run. */
function utc(encoding: ChartSpec["encoding"]): ChartSpec["encoding"] {
  return Object.fromEntries(
    Object.entries(encoding).map(([channel, one]): [string, Encoding | readonly Encoding[]] => {
      if (isList(one)) return [channel, one.map(titled)];
      if (one.type !== "temporal" || one.scale === null) return [channel, titled(one)];
      return [
        channel,
        { ...titled(one), scale: { type: "utc", ...(one.scale as object | undefined) } },
      ];
    }),
  );
}

/** Vega-Lite makes a part of an expression of it. */
function titled(encoding: Encoding): Encoding {
  const { title } = encoding;
  return typeof title === "string" ? { ...encoding, title: plainTitle(title) } : encoding;
}

/**
 * Returns a value as JSON holds it. Vega escapes text, but keeps characters that are invisible or
 * not allowed in XML.
 */
function plainParts(part: unknown): unknown {
  if (typeof part === "string") return visible(part);
  if (typeof part === "bigint") return safeNumber(part);
  if (Array.isArray(part)) return part.map(plainParts);
  if (typeof part !== "object" || part === null) return part;
  // Dates are objects without a member of their own.
  if (part instanceof Date) return part.toJSON();
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [visible(key), plainParts(value)]),
  );
}

/** The number where it is exact, else its text. */
function safeNumber(value: bigint): number | string {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
