/** A chart: rows, or SQL that DuckDB groups before anything is drawn, as Vega-Lite with a picture and words beside it. */
import { type Row, RunError, type TraceStore } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { currentSession } from "../../session.ts";
import { bundleOf, PLAIN, SVG, VEGA_LITE } from "../bundle.ts";
import { type Question, queryRows, Rows } from "../table/rows.ts";
import { counted, visible } from "../visible.ts";
import { CHART_CONFIG } from "./config.ts";
import { describeChart, titleLines } from "./describe.ts";
import { binnedFields, type Extents, extentSql, pushDown } from "./push-down.ts";
import { renderSvg } from "./render.ts";
import { type ChartSpec, type Encoding, encodingsOf, isGrouping, isList } from "./spec.ts";

/** Rows, a promise of rows as the `sql` tag gives it, or the text of a question. */
export type ChartData = string | readonly Row[] | PromiseLike<readonly Row[]>;

/** A chart that shows itself; nothing is asked or drawn before it does. */
export function chart(data: ChartData, spec: ChartSpec): Chart {
  assertSpec(spec);
  return new Chart(() => drawn(data, spec));
}

/** What a chart shows: one mark a row. */
export interface DrawnChart {
  readonly spec: ChartSpec;
  readonly rows: readonly Row[];
}

export class Chart {
  readonly #draw: () => Promise<DrawnChart>;
  #drawn: Promise<DrawnChart> | undefined;

  constructor(draw: () => Promise<DrawnChart>) {
    this.#draw = draw;
  }

  /** The rows that are drawn, grouped where the chart groups. */
  async rows(): Promise<readonly Row[]> {
    return (await this.#drawing()).rows;
  }

  async toMimeBundle(): Promise<Bundle["data"]> {
    const { spec, rows } = await this.#drawing();
    return await chartData(spec, rows);
  }

  #drawing(): Promise<DrawnChart> {
    this.#drawn ??= this.#draw();
    return this.#drawn;
  }
}

// ── which rows ──────────────────────────────────────────────────────────────────────────────────

const MARKS_MAX = 5_000;

async function drawn(data: ChartData, spec: ChartSpec): Promise<DrawnChart> {
  if (typeof data === "string") return await askedFor({ sql: data, params: [] }, spec);
  const rows = await data;
  if (rows.length > MARKS_MAX && isGrouping(spec) && rows instanceof Rows && rows.question) {
    return await askedFor(rows.question, spec);
  }
  return checkedChart({ spec, rows });
}

async function askedFor({ sql, params }: Question, spec: ChartSpec): Promise<DrawnChart> {
  const traces = await currentSession().traces();
  const source = sql.replace(/;\s*$/, "");
  const pushed = pushDown(spec, await extentsOf(traces, spec, { sql: source, params }));
  if (pushed === undefined) {
    return checkedChart({ spec, rows: await queryRows(traces, { sql: source, params }) });
  }
  const rows = await queryRows(traces, { sql: pushed.sql(source), params });
  return checkedChart({ spec: pushed.spec, rows });
}

async function extentsOf(
  traces: TraceStore,
  spec: ChartSpec,
  { sql, params }: Question,
): Promise<Extents> {
  const fields = binnedFields(spec);
  if (fields.length === 0) return new Map();
  const [row = {}] = await traces.query(extentSql(fields, sql), params);
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
  if (mentionsData(spec)) {
    throw new RunError("M7603", "the specification of a chart brings its own `data`", {
      hint: "leave `data` out; the rows are the first argument of `chart`",
    });
  }
}

function mentionsData(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  if (Array.isArray(part)) return part.some(mentionsData);
  return Object.entries(part).some(([key, value]) => key === "data" || mentionsData(value));
}

/** The same chart, when there are rows for its fields, and not too many. */
export function checkedChart(chart: DrawnChart): DrawnChart {
  const { spec, rows } = chart;
  if (rows.length > MARKS_MAX) {
    throw new RunError(
      "M7601",
      `the chart would have ${counted(rows.length)} marks; ${counted(MARKS_MAX)} is the most`,
      {
        hint: 'give `chart` the SQL text and let an encoding add up: `y: { aggregate: "sum", … }`',
      },
    );
  }
  const [row] = rows;
  for (const [channel, { field }] of encodingsOf(spec)) {
    if (field === undefined || row === undefined || spec.transform !== undefined) continue;
    if (!Object.hasOwn(row, field.replaceAll("\\", ""))) {
      throw unfit(`\`${channel}\` shows \`${field}\`, and the rows have ${columnList(row)}`);
    }
  }
  return chart;
}

function columnList(row: Row): string {
  return Object.keys(row)
    .map((name) => `\`${name}\``)
    .join(", ");
}

function unfit(why: string): RunError {
  return new RunError("M7602", `the chart can't be drawn: ${why}`);
}

// ── what is shown ───────────────────────────────────────────────────────────────────────────────

// A name, not an address: nothing loads it.
const SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json";

async function chartData(spec: ChartSpec, rows: readonly Row[]): Promise<Bundle["data"]> {
  const plain = describeChart(spec, rows);
  const full = visibleParts({
    $schema: SCHEMA,
    ...spec,
    encoding: utc(spec.encoding),
    data: { values: rows },
    config: { ...CHART_CONFIG, ...(spec.config as object | undefined) },
  }) as Readonly<Record<string, unknown>>;
  const [title = "Chart"] = titleLines(spec);
  const svg = await renderSvg(full, { title, description: plain });
  return bundleOf({ [VEGA_LITE]: full, [SVG]: svg, [PLAIN]: plain }).data;
}

/** Times are UTC, wherever the kernel and the front end run. */
function utc(encoding: ChartSpec["encoding"]): ChartSpec["encoding"] {
  return Object.fromEntries(
    Object.entries(encoding).map(([channel, one]): [string, Encoding | readonly Encoding[]] => {
      if (isList(one) || one.type !== "temporal" || one.scale === null) return [channel, one];
      return [channel, { ...one, scale: { type: "utc", ...(one.scale as object | undefined) } }];
    }),
  );
}

/** Vega escapes text; what is invisible in it, and no XML, it leaves alone. */
function visibleParts(part: unknown): unknown {
  if (typeof part === "string") return visible(part);
  if (Array.isArray(part)) return part.map(visibleParts);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [visible(key), visibleParts(value)]),
  );
}
