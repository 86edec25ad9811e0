/** Draws tokens, cost and latencies of runs. */
import { traceQueries } from "../../../../runtime/index.ts";
import { durationText } from "../../numbers.ts";
import type { TextColumn } from "../../text-table.ts";
import { counted } from "../../visible.ts";
import { CARD, FITTED, INK, PALETTE } from "../config.ts";
import type { Chart } from "../spec.ts";
import {
  barStep,
  type ChartOfRun,
  type ChartRows,
  chartOfRun,
  chartOfRuns,
  type OfRuns,
  tooltip,
} from "./run-chart.ts";

/** Charts the tokens that the calls of each node read and wrote. */
export function tokensByAgent(run: ChartOfRun): Chart {
  return chartOfRun(run, { ask: traceQueries.tokensByNode, draw: agentTokens });
}

function agentTokens(
  _: readonly traceQueries.NodeTokens[],
  subtitle: string,
): ChartRows<traceQueries.NodeTokens> {
  return {
    spec: {
      title: { text: "Tokens by agent", subtitle },
      mark: { type: "bar" },
      height: { step: 30 },
      ...FITTED,
      encoding: {
        y: { field: "node", type: "nominal", sort: null, title: null },
        x: { field: "tokens", type: "quantitative", title: "tokens" },
        color: {
          field: "direction",
          type: "nominal",
          title: "direction",
          scale: { domain: ["input", "output"], range: [PALETTE[0], PALETTE[1]] },
        },
        order: { field: "direction", type: "nominal" },
        tooltip: tooltip("node", "direction", "tokens", "model_source"),
      },
    },
    figures: [
      { title: "agent", cell: ({ node }) => node },
      { title: "direction", cell: ({ direction }) => direction },
      { title: "tokens", cell: ({ tokens }) => counted(tokens), isNumber: true },
      { title: "model source", cell: ({ model_source }) => model_source ?? "-" },
    ],
  };
}

/** The tokens of each agent, by the models that it asked. */
export function tokensByModel(runs?: OfRuns): Chart {
  return chartOfRuns(runs, {
    ask: traceQueries.modelUse,
    draw: (rows, about) => useOf(rows, { about, text: "Tokens by agent and model", by: "tokens" }),
  });
}

/**
 * Charts the cost of each agent by the models that it asked, and names the calls without a known
 * price.
 */
export function costByModel(runs?: OfRuns): Chart {
  return chartOfRuns(runs, {
    ask: traceQueries.modelUse,
    draw: (rows, about) => useOf(rows, { about, text: "Cost by agent and model", by: "cost_usd" }),
  });
}

function useOf(
  rows: readonly traceQueries.ModelUse[],
  of: { readonly about: string; readonly text: string; readonly by: "tokens" | "cost_usd" },
): ChartRows<traceQueries.ModelUse> {
  const isCost = of.by === "cost_usd";
  const note = rows.length === 0 ? ["no model was called"] : isCost ? unpricedNote(rows) : [];
  return {
    spec: {
      title: { text: of.text, subtitle: [of.about, ...note] },
      mark: { type: "bar", stroke: CARD, strokeWidth: 1 },
      height: { step: barStep(new Set(rows.map(({ node }) => node)).size) },
      ...FITTED,
      encoding: {
        y: { field: "node", type: "nominal", sort: null, title: null },
        x: isCost
          ? { field: "cost_usd", type: "quantitative", title: "USD", axis: { format: "$,~r" } }
          : { field: "tokens", type: "quantitative", title: "tokens" },
        color: { field: "model", type: "nominal", title: "model" },
        order: { field: "model", type: "nominal" },
        tooltip: tooltip(
          "node",
          "model",
          "model_source",
          "calls",
          "input_tokens",
          "output_tokens",
          "cost_usd",
          "unpriced",
        ),
      },
    },
    // A call without a known price has no bar.
    rows: isCost ? rows.filter(({ cost_usd }) => cost_usd !== null) : rows,
    figures: USE_FIGURES,
  };
}

/** NULL is no zero: what nobody knows the price of is said, not drawn. */
function unpricedNote(rows: readonly traceQueries.ModelUse[]): readonly string[] {
  const unpriced = rows.filter((row) => row.unpriced > 0);
  if (unpriced.length === 0) return [];
  const calls = unpriced.reduce((sum, row) => sum + row.unpriced, 0);
  const models = [...new Set(unpriced.map(({ model }) => model))];
  const named = models.slice(0, 3).join(", ") + (models.length > 3 ? ", …" : "");
  return [`no known price, and so not drawn: ${counted(calls, "call")} of ${named}`];
}

const USE_FIGURES: readonly TextColumn<traceQueries.ModelUse>[] = [
  { title: "agent", cell: ({ node }) => node },
  { title: "model", cell: ({ model }) => model },
  { title: "source", cell: ({ model_source }) => model_source ?? "-" },
  { title: "calls", cell: ({ calls }) => counted(calls), isNumber: true },
  { title: "tokens in", cell: ({ input_tokens }) => counted(input_tokens), isNumber: true },
  { title: "tokens out", cell: ({ output_tokens }) => counted(output_tokens), isNumber: true },
  { title: "cost", cell: costCell, isNumber: true },
];

function costCell({ cost_usd, unpriced, calls }: traceQueries.ModelUse): string {
  if (cost_usd === null || unpriced === calls) return "not known";
  const text = `$${Number(cost_usd.toPrecision(4))}`;
  return unpriced === 0 ? text : `${text} and ${counted(unpriced, "call")} not known`;
}

// ── latencies ───────────────────────────────────────────────────────────────────────────────────

export interface LatencyOptions {
  /** The subject of the times: attempts of each node, calls of each model, calls of each tool. */
  readonly by?: traceQueries.LatencyOf;
}

const TIMED: Readonly<Record<traceQueries.LatencyOf, string>> = {
  node: "attempts of each node",
  model: "calls of each model",
  tool: "calls of each tool",
};

/** Charts the share of calls or attempts that took at most a given time (ECDF). */
export function latencies(runs?: OfRuns, { by = "node" }: LatencyOptions = {}): Chart {
  return chartOfRuns(runs, {
    ask: (traces, ids) => traceQueries.latencyCurves(traces, { of: by, runs: ids }),
    draw: (rows, about) => curvesOf(rows, { about, by }),
  });
}

function curvesOf(
  rows: readonly traceQueries.LatencyPoint[],
  { about, by }: { readonly about: string; readonly by: traceQueries.LatencyOf },
): ChartRows<traceQueries.LatencyPoint> {
  return {
    spec: {
      title: { text: `How long the ${TIMED[by]} took`, subtitle: [about, ...nothingOf(rows)] },
      mark: { type: "line", interpolate: "step-after", strokeWidth: 2 },
      ...FITTED,
      height: 260,
      encoding: {
        x: secondsAxis(rows.map(({ seconds }) => seconds)),
        y: {
          field: "share",
          type: "quantitative",
          title: `share of the ${TIMED[by].split(" ")[0]}`,
          axis: { format: ".0%" },
          scale: { domain: [0, 1] },
        },
        color: { field: "name", type: "nominal", title: by, sort: null },
        order: { field: "share", type: "quantitative" },
        tooltip: tooltip("name", "share", "seconds", "count"),
      },
    },
    figures: [
      { title: by, cell: ({ name }) => name },
      {
        title: "share",
        cell: ({ share }) => `${Number((share * 100).toFixed(1))} %`,
        isNumber: true,
      },
      { title: "at most", cell: ({ seconds }) => durationText(seconds * 1_000), isNumber: true },
    ],
  };
}

/** The middle, the quarters and the ends of how long things took. */
export function latencyBoxes(runs?: OfRuns, { by = "node" }: LatencyOptions = {}): Chart {
  return chartOfRuns(runs, {
    ask: (traces, ids) => traceQueries.latencyBoxes(traces, { of: by, runs: ids }),
    draw: (rows, about) => boxesOf(rows, { about, by }),
  });
}

function boxesOf(
  rows: readonly traceQueries.LatencyBox[],
  { about, by }: { readonly about: string; readonly by: traceQueries.LatencyOf },
): ChartRows<traceQueries.LatencyBox> {
  const y = { field: "name", type: "nominal", sort: null, title: null };
  const axis = secondsAxis(rows.flatMap(({ p5, p95 }) => [p5, p95]));
  const shown = tooltip("name", "count", "p5", "p25", "p50", "p75", "p95", "longest");
  const words = "box: the middle half; line: from 5 % to 95 %; thick: the median";
  return {
    spec: {
      title: {
        text: `How long the ${TIMED[by]} took`,
        subtitle: [about, ...nothingOf(rows), words],
      },
      ...FITTED,
      height: { step: barStep(rows.length) },
      encoding: { y },
      layer: [
        {
          mark: { type: "bar", height: { band: 0.6 }, stroke: PALETTE[0], strokeWidth: 1.5 },
          encoding: { x: { ...axis, field: "p25" }, x2: { field: "p75" }, tooltip: shown },
        },
        {
          mark: { type: "rule", strokeWidth: 1.5, color: PALETTE[0] },
          encoding: { x: { ...axis, field: "p5" }, x2: { field: "p95" } },
        },
        {
          mark: { type: "tick", thickness: 2.5, height: { band: 0.8 }, color: INK },
          encoding: { x: { ...axis, field: "p50" } },
        },
      ],
    },
    figures: [
      { title: by, cell: ({ name }) => name },
      { title: "count", cell: ({ count }) => counted(count), isNumber: true },
      ...(["p5", "p25", "p50", "p75", "p95", "longest"] as const).map((name) => ({
        title: name === "p50" ? "median" : name,
        cell: (box: traceQueries.LatencyBox) => durationText(box[name] * 1_000),
        isNumber: true,
      })),
    ],
  };
}

/** Times that differ by more than a factor of fifty are told apart by their power of ten only. */
function secondsAxis(seconds: readonly number[]) {
  const [low, high] = [Math.min(...seconds), Math.max(...seconds)];
  const isLog = low > 0 && high / low > 50;
  return {
    field: "seconds",
    type: "quantitative",
    title: isLog ? "seconds (each line ten times the one before)" : "seconds",
    ...(isLog ? { scale: { type: "log" }, axis: { tickCount: 5, format: "~g" } } : {}),
  };
}

function nothingOf(rows: readonly object[]): readonly string[] {
  return rows.length === 0 ? ["nothing of the kind has ended yet"] : [];
}
