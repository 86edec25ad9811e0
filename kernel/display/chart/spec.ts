/** Declares the part of Vega-Lite's specification that the kernel reads. */
import { type Row, RunError } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";

/** A chart that shows itself; nothing is asked or drawn before it does. */
export interface Chart {
  /** The rows that are drawn, grouped where the chart groups. */
  rows(): Promise<readonly Row[]>;
  toMimeBundle(): Promise<Bundle["data"]>;
  drawing(): Promise<ChartDrawing>;
}

/** The Vega-Lite that is drawn, with its rows, the picture, and the words beside it. */
export interface ChartDrawing {
  readonly spec: unknown;
  readonly svg: string;
  readonly text: string;
}

export interface ChartSpec {
  /** Left out where there are layers. */
  readonly mark?: string | Readonly<Record<string, unknown>>;
  readonly encoding: Readonly<Record<string, Encoding | readonly Encoding[]>>;
  readonly title?: string | Title;
  readonly width?: number | string | Readonly<Record<string, unknown>>;
  readonly height?: number | string | Readonly<Record<string, unknown>>;
  /** Anything else of Vega-Lite 5. */
  readonly [key: string]: unknown;
}

export interface Title {
  readonly text: string;
  readonly subtitle?: string | readonly string[];
  readonly [key: string]: unknown;
}

export interface Encoding {
  readonly field?: string;
  readonly type?: string;
  readonly aggregate?: string;
  readonly bin?: unknown;
  readonly timeUnit?: unknown;
  readonly title?: string | null;
  readonly [key: string]: unknown;
}

export function unfit(why: string): RunError {
  return new RunError("M7602", `the chart can't be drawn: ${why}`, {
    hint: "check the marks, channels and names of fields in the specification",
  });
}

/**
 * Returns the encoding of each channel; a channel with a list of fields (`tooltip`, `detail`) has
 * one entry a field.
 */
export function encodingsOf(spec: ChartSpec): readonly (readonly [string, Encoding])[] {
  return Object.entries(spec.encoding ?? {}).flatMap(([channel, encoding]) =>
    listed(encoding).map((one) => [channel, one] as const),
  );
}

function listed(encoding: Encoding | readonly Encoding[]): readonly Encoding[] {
  return isList(encoding) ? encoding : [encoding];
}

export function isList(encoding: Encoding | readonly Encoding[]): encoding is readonly Encoding[] {
  return Array.isArray(encoding);
}

/** Returns the mark of a chart; of layers the first one's, which has a mark for each row. */
export function markName({ mark, layer }: ChartSpec): string {
  if (mark === undefined && Array.isArray(layer)) return markName(layer[0] as ChartSpec);
  return typeof mark === "string" ? mark : String(mark?.type);
}

/** Returns whether the rows are aggregated before they are drawn. */
export function isGrouping(spec: ChartSpec): boolean {
  return encodingsOf(spec).some(
    ([, { aggregate, bin, timeUnit }]) =>
      aggregate !== undefined || isBinned(bin) || timeUnit !== undefined,
  );
}

/** `bin: "binned"` and `{ binned: true }` say that it is done. */
export function isBinned(bin: unknown): boolean {
  if (bin === undefined || bin === null || bin === false || bin === "binned") return false;
  return !(typeof bin === "object" && (bin as { readonly binned?: unknown }).binned === true);
}
