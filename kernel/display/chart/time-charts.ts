/** When a run did what: waterfall, lanes, flame, parallelism. */
import {
  type Frame,
  frames,
  type LaneBar,
  type LaneBin,
  laneBars,
  laneBins,
  RunError,
  type RunningFrom,
  runningFrom,
  type WaterfallBar,
  waterfallBars,
} from "../../../runtime/index.ts";
import { LOOKS } from "../graph/node-look.ts";
import { durationText } from "../numbers.ts";
import type { Column } from "../text-table.ts";
import { counted } from "../visible.ts";
import type { Chart } from "./chart.ts";
import { INK, PALETTE, STEPS, TONES } from "./config.ts";
import { type FlameBar, flameBars } from "./flame-bars.ts";
import { barStep, chartOfRun, type Drawing, type OfRun, tooltip } from "./run-chart.ts";
import type { ChartSpec } from "./spec.ts";

// ── waterfall ───────────────────────────────────────────────────────────────────────────────────

/** When each node run and each call in it was under way; outlined is what the end of the run waited for. */
export function waterfall(run: OfRun): Chart {
  return chartOfRun(run, { ask: waterfallBars, draw: waterfallOf });
}

const STATUSES = [
  "succeeded",
  "failed",
  "skipped",
  "aborted",
  "running",
  "ready",
  "stale",
] as const;

const CALLS = {
  "model call": PALETTE[0],
  "tool call": PALETTE[1],
  "function call": PALETTE[5],
  "session call": PALETTE[3],
  "failed call": LOOKS.failed.stroke,
  "open call": LOOKS.running.stroke,
} as const;

/** Of more, nobody finds one. */
const NODE_RUNS_MAX = 400;

function waterfallOf(bars: readonly WaterfallBar[], about: string): Drawing<WaterfallBar> {
  const nodeRuns = bars.filter(({ lane }) => lane === "node run");
  if (nodeRuns.length > NODE_RUNS_MAX) throw tooMany("waterfall", nodeRuns.length);
  const critical = nodeRuns.filter((bar) => bar.critical).length;
  const path =
    critical === 0
      ? []
      : [`outlined: the critical path, ${critical} of ${counted(nodeRuns.length)} node runs`];
  const step = barStep(nodeRuns.length);
  return {
    spec: {
      title: { text: "When each node ran", subtitle: [about, ...path] },
      mark: { type: "bar", cornerRadius: 1 },
      height: { step: step / 2, for: "offset" },
      width: 620,
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

function coloursOf(bars: readonly WaterfallBar[]) {
  const colours = {
    ...Object.fromEntries(STATUSES.map((status) => [status, LOOKS[status].stroke])),
    ...CALLS,
  };
  const there = new Set(bars.map(({ what }) => what));
  const shown = Object.entries(colours).filter(([what]) => there.has(what));
  const scale = { domain: shown.map(([what]) => what), range: shown.map(([, colour]) => colour) };
  return { field: "what", type: "nominal", scale };
}

const WATERFALL_FIGURES: readonly Column<WaterfallBar>[] = [
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

function secondsText(seconds: number | null): string {
  return seconds === null ? "-" : durationText(seconds * 1_000);
}

function tooMany(chart: string, nodeRuns: number): RunError {
  return new RunError("M7610", `a ${chart} of ${counted(nodeRuns)} node runs can't be read`, {
    hint: `\`lanes(run)\`, \`flame(run)\` and \`parallelism(run)\` add them up; ${counted(NODE_RUNS_MAX)} is the most here`,
  });
}

// ── lanes ───────────────────────────────────────────────────────────────────────────────────────

/** The steps of a run, a lane for each branch: what began before which commit, and what ran beside what. */
export function lanes(run: OfRun): Chart {
  return chartOfRun<LaneBar | LaneBin>(run, {
    ask: async (traces, id) => {
      const bars = await laneBars(traces, id);
      const names = new Set(bars.map(({ lane }) => lane));
      const fits = names.size <= LANES_MAX && bars.length <= NODE_RUNS_MAX * 2;
      return fits ? bars : await laneBins(traces, id);
    },
    draw: (rows, about) =>
      rows.every((row) => "label" in row) ? lanesOf(rows, about) : binsOf(rows, about),
  });
}

const LANES_MAX = 60;

function lanesOf(bars: readonly LaneBar[], subtitle: string): Drawing<LaneBar | LaneBin> {
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

/** What has too many branches is added up: how many node runs of a node ended within some steps. */
function binsOf(
  rows: readonly (LaneBar | LaneBin)[],
  subtitle: string,
): Drawing<LaneBar | LaneBin> {
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
    width: 620,
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

// ── flame ───────────────────────────────────────────────────────────────────────────────────────

/** Where the time went: below each graph its nodes, below each node its calls, as wide as all their time. */
export function flame(run: OfRun): Chart {
  return chartOfRun<Frame, FlameBar>(run, {
    ask: frames,
    draw: (asked, about) => {
      const rows = flameBars(asked, { graph: graphOf(about), width: FLAME_WIDTH });
      return { spec: flameSpec(rows, about), rows, figures: FLAME_FIGURES };
    },
  });
}

const FLAME_WIDTH = 680;

/** The subtitle names it: `run ID of GRAPH · …`. */
function graphOf(about: string): string {
  return / of (.*?) · /.exec(about)?.[1] ?? "the run";
}

const KINDS = {
  graph: TONES.grey,
  node: TONES.blue,
  model: TONES.violet,
  tool: TONES.orange,
  function: TONES.green,
  session: TONES.red,
  others: TONES.grey,
} as const;

function flameSpec(rows: readonly FlameBar[], about: string): ChartSpec {
  const there = Object.entries(KINDS).filter(([kind]) => rows.some((row) => row.kind === kind));
  const depth = Math.max(0, ...rows.map((row) => row.depth));
  return {
    title: {
      text: "Where the time went",
      subtitle: [about, "what ran side by side is added up"],
    },
    width: FLAME_WIDTH,
    height: (depth + 1) * 26,
    encoding: {
      x: {
        field: "begin_s",
        type: "quantitative",
        title: "seconds, added up",
        axis: { grid: false },
        scale: { nice: false },
      },
      y: {
        field: "top",
        type: "quantitative",
        title: null,
        axis: null,
        scale: { reverse: true, nice: false },
      },
    },
    layer: [
      {
        mark: { type: "rect", stroke: "#ffffff", strokeWidth: 1 },
        encoding: {
          x2: { field: "end_s" },
          y2: { field: "bottom" },
          color: {
            field: "kind",
            type: "nominal",
            title: "what",
            scale: { domain: there.map(([kind]) => kind), range: there.map(([, tone]) => tone) },
          },
          tooltip: tooltip("name", "kind", "total_s", "own_s", "count"),
        },
      },
      {
        mark: { type: "text", align: "left", dx: 5, dy: 13, baseline: "middle", color: INK },
        encoding: { text: { field: "shown", type: "nominal" } },
      },
    ],
  };
}

const FLAME_FIGURES: readonly Column<FlameBar>[] = [
  { title: "where", cell: ({ depth, name }) => `${"  ".repeat(depth)}${name}` },
  { title: "what", cell: ({ kind }) => kind },
  { title: "times", cell: ({ count }) => counted(count), isNumber: true },
  { title: "time", cell: ({ total_s }) => secondsText(total_s), isNumber: true },
  { title: "own time", cell: ({ own_s }) => secondsText(own_s), isNumber: true },
];

// ── parallelism ─────────────────────────────────────────────────────────────────────────────────

/** How many attempts ran at once. */
export function parallelism(run: OfRun): Chart {
  return chartOfRun(run, { ask: runningFrom, draw: runningOf });
}

function runningOf(rows: readonly RunningFrom[], about: string): Drawing<RunningFrom> {
  const [total, busy] = rows.reduce<readonly [number, number]>(
    ([all, some], { at_s, running }, index) => {
      const length = (rows[index + 1]?.at_s ?? at_s) - at_s;
      return [all + length, some + length * running];
    },
    [0, 0],
  );
  const mean = total === 0 ? [] : [`${(busy / total).toFixed(1)} at a time on average`];
  return {
    spec: {
      title: { text: "How much ran at once", subtitle: [about, ...mean] },
      mark: { type: "area", interpolate: "step-after", line: { strokeWidth: 1.5 } },
      width: 620,
      height: 180,
      encoding: {
        x: { field: "at_s", type: "quantitative", title: "seconds since the run began" },
        y: {
          field: "running",
          type: "quantitative",
          title: "attempts under way",
          axis: { tickMinStep: 1, format: "d" },
        },
        tooltip: tooltip("at_s", "running"),
      },
    },
    figures: [
      { title: "from", cell: ({ at_s }) => secondsText(at_s), isNumber: true },
      { title: "running", cell: ({ running }) => `${running}`, isNumber: true },
    ],
  };
}
