/** Draws the steps of a run, a lane for each branch, or for each node where there are too many. */
import { traceQueries } from "../../../../runtime/index.ts";
import { LOOKS } from "../../graph/node-look.ts";
import { FITTED, STEPS } from "../config.ts";
import type { Chart, ChartSpec } from "../spec.ts";
import { barStep, type ChartOfRun, type ChartRows, chartOfRun, tooltip } from "./run-chart.ts";
import { NODE_RUNS_MAX, STATUSES } from "./time-parts.ts";

/** The steps of a run, a lane for each branch: what began before which commit, and what ran beside what. */
export function lanes(run: ChartOfRun): Chart {
  return chartOfRun<traceQueries.LaneBar | traceQueries.LaneBin>(run, {
    ask: async (traces, id) => {
      const bars = await traceQueries.laneBars(traces, id);
      const names = new Set(bars.map(({ lane }) => lane));
      const fits = names.size <= LANES_MAX && bars.length <= NODE_RUNS_MAX * 2;
      return fits ? bars : await traceQueries.laneBins(traces, id);
    },
    draw: (rows, about) =>
      rows.every((row) => "label" in row) ? lanesOf(rows, about) : binsOf(rows, about),
  });
}

const LANES_MAX = 60;

function lanesOf(
  bars: readonly traceQueries.LaneBar[],
  subtitle: string,
): ChartRows<traceQueries.LaneBar | traceQueries.LaneBin> {
  const there = STATUSES.filter((status) => bars.some((bar) => bar.status === status));
  const range = there.map((status) => LOOKS[status].stroke);
  return {
    spec: {
      ...laneSpec("Steps by branch", { subtitle, lanes: new Set(bars.map(({ lane }) => lane)) }),
      encoding: {
        ...LANE_PLACES,
        color: {
          field: "status",
          type: "nominal",
          title: "status",
          scale: { domain: there, range },
        },
        tooltip: tooltip("label", "status", "begin", "end", "attempts", "cost_usd"),
      },
    },
    figures: [
      { title: "branch", cell: ({ lane }) => lane },
      { title: "from step", cell: ({ begin }) => `${begin}`, isNumber: true },
      { title: "to step", cell: ({ end }) => `${end}`, isNumber: true },
      { title: "status", cell: (bar) => ("status" in bar ? bar.status : "") },
    ],
  };
}

/**
 * Charts the number of node runs of each node in ranges of steps, for runs with too many branches
 * for a lane each.
 */
function binsOf(
  rows: readonly (traceQueries.LaneBar | traceQueries.LaneBin)[],
  subtitle: string,
): ChartRows<traceQueries.LaneBar | traceQueries.LaneBin> {
  const nodes = new Set(rows.map(({ lane }) => lane));
  return {
    spec: {
      ...laneSpec("Steps by node", { subtitle, lanes: nodes }),
      encoding: {
        ...LANE_PLACES,
        color: {
          field: "node_runs",
          type: "quantitative",
          title: "node runs",
          scale: { type: "quantize", range: [...STEPS] },
        },
        tooltip: tooltip("lane", "begin", "end", "node_runs"),
      },
    },
    figures: [
      { title: "node", cell: ({ lane }) => lane },
      { title: "after step", cell: ({ begin }) => `${begin}`, isNumber: true },
      { title: "to step", cell: ({ end }) => `${end}`, isNumber: true },
      {
        title: "node runs",
        cell: (bin) => ("node_runs" in bin ? `${bin.node_runs}` : ""),
        isNumber: true,
      },
    ],
  };
}

function laneSpec(
  text: string,
  of: { readonly subtitle: string; readonly lanes: ReadonlySet<string> },
): Omit<ChartSpec, "encoding"> {
  return {
    title: { text, subtitle: of.subtitle },
    mark: { type: "bar", height: { band: 0.62 }, cornerRadius: 2, stroke: "#ffffff" },
    height: { step: barStep(of.lanes.size) },
    ...FITTED,
  };
}

const LANE_PLACES = {
  y: {
    field: "lane",
    type: "nominal",
    sort: null,
    title: null,
    axis: { grid: true, labelOverlap: true },
  },
  x: {
    field: "begin",
    type: "quantitative",
    title: "steps of the run",
    axis: { tickMinStep: 1, format: "d" },
  },
  x2: { field: "end" },
};
