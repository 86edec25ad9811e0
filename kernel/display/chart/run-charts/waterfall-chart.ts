/** Draws when each node run and each call in it was under way. */
import { RunError, traceQueries } from "../../../../runtime/index.ts";
import { LOOKS } from "../../graph/node-look.ts";
import type { TextColumn } from "../../text-table.ts";
import { counted } from "../../visible.ts";
import { FITTED, INK, PALETTE } from "../config.ts";
import type { Chart } from "../spec.ts";
import { barStep, type ChartOfRun, type ChartRows, chartOfRun, tooltip } from "./run-chart.ts";
import { NODE_RUNS_MAX, STATUSES, secondsText } from "./time-parts.ts";

/** Charts the times of each node run and of each call in it; an outline marks the critical path. */
export function waterfall(run: ChartOfRun): Chart {
  return chartOfRun(run, { ask: traceQueries.waterfallBars, draw: waterfallOf });
}

const CALLS = {
  "model call": PALETTE[0],
  "tool call": PALETTE[1],
  "function call": PALETTE[5],
  "session call": PALETTE[3],
  "failed call": LOOKS.failed.stroke,
  "open call": LOOKS.running.stroke,
} as const;

function waterfallOf(
  bars: readonly traceQueries.WaterfallBar[],
  about: string,
): ChartRows<traceQueries.WaterfallBar> {
  const nodeRuns = bars.filter(({ lane }) => lane === "node run");
  if (nodeRuns.length > NODE_RUNS_MAX) throw tooMany("waterfall", nodeRuns.length);
  const critical = nodeRuns.filter((bar) => bar.critical).length;
  const path =
    critical === 0
      ? []
      : [`outlined: the critical path, ${critical} of ${counted(nodeRuns.length, "node run")}`];
  const step = barStep(nodeRuns.length);
  return {
    spec: {
      title: { text: "When each node ran", subtitle: [about, ...path] },
      mark: { type: "bar", cornerRadius: 1 },
      height: { step: step / 2, for: "offset" },
      ...FITTED,
      encoding: {
        y: {
          field: "label",
          type: "nominal",
          sort: null,
          title: null,
          scale: { paddingInner: 0.2 },
          axis: { labelOverlap: true },
        },
        yOffset: { field: "lane", type: "nominal", sort: ["node run", "call"] },
        x: { field: "begin_s", type: "quantitative", title: "seconds since the run began" },
        x2: { field: "end_s" },
        size: {
          field: "lane",
          type: "nominal",
          legend: null,
          scale: { domain: ["node run", "call"], range: [step * 0.48, Math.max(step * 0.2, 1.5)] },
        },
        color: { ...coloursOf(bars), title: "what" },
        // A node run of no time is a line.
        stroke: {
          ...coloursOf(bars),
          title: "what",
          condition: { test: "datum.critical", value: INK },
        },
        strokeWidth: { condition: { test: "datum.critical", value: 2 }, value: 1 },
        tooltip: tooltip(
          "label",
          "what",
          "name",
          "attempts",
          "begin_s",
          "end_s",
          "input_tokens",
          "output_tokens",
          "model_source",
        ),
      },
    },
    figures: WATERFALL_FIGURES,
  };
}

function coloursOf(bars: readonly traceQueries.WaterfallBar[]) {
  const colours = {
    ...Object.fromEntries(STATUSES.map((status) => [status, LOOKS[status].stroke])),
    ...CALLS,
  };
  const there = new Set(bars.map(({ what }) => what));
  const shown = Object.entries(colours).filter(([what]) => there.has(what));
  const scale = { domain: shown.map(([what]) => what), range: shown.map(([, colour]) => colour) };
  return { field: "what", type: "nominal", scale };
}

const WATERFALL_FIGURES: readonly TextColumn<traceQueries.WaterfallBar>[] = [
  { title: "node run", cell: ({ label, lane }) => (lane === "call" ? `  ${label}` : label) },
  { title: "what", cell: ({ what, lane, name }) => (lane === "call" ? `${what} ${name}` : what) },
  { title: "begin", cell: ({ begin_s }) => secondsText(begin_s), isNumber: true },
  {
    title: "time",
    cell: ({ begin_s, end_s }) => secondsText(end_s - begin_s),
    isNumber: true,
  },
  { title: "path", cell: ({ critical }) => (critical ? "critical" : "") },
];

function tooMany(chart: string, nodeRuns: number): RunError {
  return new RunError("M7610", `a ${chart} of ${counted(nodeRuns)} node runs can't be read`, {
    hint: `\`lanes(run)\`, \`flame(run)\` and \`parallelism(run)\` add them up; ${counted(NODE_RUNS_MAX)} is the most here`,
  });
}
