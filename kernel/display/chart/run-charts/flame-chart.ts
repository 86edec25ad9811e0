/** Draws where the time of a run went, by depth. */
import { traceQueries } from "../../../../runtime/index.ts";
import type { TextColumn } from "../../text-table.ts";
import { counted } from "../../visible.ts";
import { INK, TONES } from "../config.ts";
import type { Chart, ChartSpec } from "../spec.ts";
import { type FlameBar, flameBars } from "./flame-bars.ts";
import { type ChartOfRun, chartOfRun, tooltip } from "./run-chart.ts";
import { secondsText } from "./time-parts.ts";

/**
 * Charts the time by nesting: below each graph its nodes, below each node its calls, each as wide
 * as its total time.
 */
export function flame(run: ChartOfRun): Chart {
  return chartOfRun<traceQueries.FlameFrame, FlameBar>(run, {
    ask: traceQueries.frames,
    draw: (asked, about) => {
      const rows = flameBars(asked, { graph: graphOf(about), width: FLAME_WIDTH });
      return { spec: flameSpec(rows, about), rows, figures: FLAME_FIGURES };
    },
  });
}

const FLAME_WIDTH = 660;

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

const FLAME_FIGURES: readonly TextColumn<FlameBar>[] = [
  { title: "where", cell: ({ depth, name }) => `${"  ".repeat(depth)}${name}` },
  { title: "what", cell: ({ kind }) => kind },
  { title: "times", cell: ({ count }) => counted(count), isNumber: true },
  { title: "time", cell: ({ total_s }) => secondsText(total_s), isNumber: true },
  { title: "own time", cell: ({ own_s }) => secondsText(own_s), isNumber: true },
];
