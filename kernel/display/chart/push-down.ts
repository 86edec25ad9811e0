/** Moves what a chart adds up into SQL: DuckDB groups millions of rows in the time in which Vega reads them. */
import { isColumn } from "./field-path.ts";
import {
  type ChartSpec,
  type Encoding,
  encodingsOf,
  isBinned,
  isGrouping,
  isList,
  unfit,
} from "./spec.ts";

export interface PushedDown {
  /** Around the question. */
  readonly sql: (source: string) => string;
  /** The same chart over the groups. */
  readonly spec: ChartSpec;
}

/** The smallest and the largest value of a field that is put into bins. */
export type Extents = ReadonlyMap<string, { readonly low: number; readonly high: number }>;

/** The fields whose extents `pushDown` has to know. */
export function binnedFields(spec: ChartSpec): readonly string[] {
  return encodingsOf(spec).flatMap(([, { bin, field }]) =>
    isBinned(bin) && field !== undefined && isColumn(field) ? [field] : [],
  );
}

export function extentSql(fields: readonly string[], source: string): string {
  const columns = fields.flatMap((field, index) => [
    `min(${quoted(field)})::DOUBLE AS low_${index}`,
    `max(${quoted(field)})::DOUBLE AS high_${index}`,
  ]);
  return `SELECT ${columns.join(", ")} FROM (\n${source}\n) AS source`;
}

/** Undefined where the chart adds nothing up, or in a way that only Vega knows. */
export function pushDown(spec: ChartSpec, extents: Extents = new Map()): PushedDown | undefined {
  if (!isGrouping(spec) || spec.transform !== undefined || spec.layer !== undefined)
    return undefined;
  const columns = new Map<string, string>();
  const encoding: Record<string, unknown> = {};
  for (const [channel, one] of Object.entries(spec.encoding)) {
    if (isList(one)) return undefined;
    const pushed = pushEncoding(channel, one, extents);
    if (pushed === undefined) return undefined;
    for (const [name, expression] of pushed.columns) columns.set(name, expression);
    Object.assign(encoding, pushed.encoding);
  }
  const selected = [...columns].map(([name, expression]) => `${expression} AS ${quoted(name)}`);
  return {
    sql: (source) =>
      `SELECT ${selected.join(", ")}\nFROM (\n${source}\n) AS source\nGROUP BY ALL\nORDER BY ALL`,
    spec: { ...spec, encoding: encoding as ChartSpec["encoding"] },
  };
}

interface PushedEncoding {
  readonly columns: readonly (readonly [name: string, expression: string])[];
  readonly encoding: Readonly<Record<string, Encoding>>;
}

function pushEncoding(
  channel: string,
  encoding: Encoding,
  extents: Extents,
): PushedEncoding | undefined {
  const { field, aggregate, bin, timeUnit } = encoding;
  if (field !== undefined && !isColumn(field)) return undefined;
  if (typeof encoding.condition === "object" || typeof aggregate === "object") return undefined;
  if (aggregate !== undefined) return pushAggregate(channel, encoding);
  if (field === undefined) return { columns: [], encoding: { [channel]: encoding } };
  if (isBinned(bin)) return pushBin(channel, { ...encoding, field }, extents);
  if (timeUnit !== undefined) return pushTimeUnit(channel, { ...encoding, field });
  const sorted = encoding.sort;
  if (typeof sorted === "object" && sorted !== null && "op" in sorted) return undefined;
  return { columns: [[field, quoted(field)]], encoding: { [channel]: encoding } };
}

const AGGREGATES: Readonly<Record<string, (field: string) => string>> = {
  sum: (field) => `sum(${field})`,
  mean: (field) => `avg(${field})`,
  average: (field) => `avg(${field})`,
  median: (field) => `median(${field})`,
  min: (field) => `min(${field})`,
  max: (field) => `max(${field})`,
  q1: (field) => `quantile_cont(${field}, 0.25)`,
  q3: (field) => `quantile_cont(${field}, 0.75)`,
  distinct: (field) => `count(DISTINCT ${field})`,
  stdev: (field) => `stddev_samp(${field})`,
  variance: (field) => `var_samp(${field})`,
};

function pushAggregate(channel: string, encoding: Encoding): PushedEncoding | undefined {
  const { aggregate = "", field, ...rest } = encoding;
  const known = Object.hasOwn(AGGREGATES, aggregate) ? AGGREGATES[aggregate] : undefined;
  const made = field === undefined ? undefined : known?.(quoted(field));
  const expression = aggregate === "count" ? "count(*)" : made;
  if (expression === undefined) return undefined;
  const name = field === undefined || aggregate === "count" ? "count" : `${aggregate}_${field}`;
  const title = aggregate === "count" ? "count" : `${aggregate} of ${field}`;
  return {
    columns: [[name, `(${expression})::DOUBLE`]],
    encoding: { [channel]: { type: "quantitative", title, ...rest, field: name } },
  };
}

const BINS = 10;

function pushBin(
  channel: string,
  encoding: Encoding & { readonly field: string },
  extents: Extents,
): PushedEncoding | undefined {
  const { field, bin } = encoding;
  const extent = extents.get(field);
  if (extent === undefined || (channel !== "x" && channel !== "y")) return undefined;
  const step = stepOf(bin, extent.high - extent.low);
  const floor = `floor(${quoted(field)} / ${step}) * ${step}`;
  const end = `${field}_end`;
  const binned = { title: field, ...encoding, type: "quantitative", bin: { binned: true, step } };
  return {
    columns: [
      [field, `(${floor})::DOUBLE`],
      [end, `(${floor} + ${step})::DOUBLE`],
    ],
    encoding: { [channel]: binned, [`${channel}2`]: { field: end } },
  };
}

/** 1, 2 or 5 times a power of ten, so that there are about as many bins as wanted. */
function stepOf(bin: unknown, size: number): number {
  const { step, maxbins = BINS } = (typeof bin === "object" ? bin : {}) as {
    readonly step?: unknown;
    readonly maxbins?: unknown;
  };
  if (step !== undefined) return positive(step, "step");
  const most = positive(maxbins, "maxbins");
  if (!(size > 0 && size < Infinity)) return 1;
  const power = 10 ** Math.floor(Math.log10(size / most));
  return [1, 2, 5, 10].map((times) => times * power).find((each) => size / each <= most) ?? power;
}

/** Returns a positive number, which becomes a part of the statement; throws for any other value. */
function positive(value: unknown, name: string): number {
  if (typeof value === "number" && value > 0 && value < Infinity) return value;
  throw unfit(`\`${name}\` of a \`bin\` is no number above 0`);
}

const UNITS: Readonly<Record<string, string>> = {
  year: "year",
  yearquarter: "quarter",
  yearmonth: "month",
  yearweek: "week",
  yearmonthdate: "day",
  yearmonthdatehours: "hour",
  yearmonthdatehoursminutes: "minute",
  yearmonthdatehoursminutesseconds: "second",
};

function pushTimeUnit(
  channel: string,
  encoding: Encoding & { readonly field: string },
): PushedEncoding | undefined {
  const { field, timeUnit, ...rest } = encoding;
  const name = typeof timeUnit === "string" ? timeUnit.replace(/^utc/, "") : "";
  const unit = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
  if (unit === undefined) return undefined;
  return {
    columns: [[field, `date_trunc('${unit}', ${quoted(field)})`]],
    encoding: { [channel]: { title: field, ...rest, type: "temporal", field } },
  };
}

/** A name of a column, whatever is in it. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
