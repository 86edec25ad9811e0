/** Draws run A beside run B: their aligned ways, and what each node took more or less. */
import { traceQueries } from "../../../../runtime/index.ts";
import { durationText } from "../../numbers.ts";
import { INK, PALETTE, TONES } from "../config.ts";
import type { Chart } from "../spec.ts";
import { type AlignedStop, alignedStops } from "./align-stops.ts";
import { barStep, type ChartOfRun, type ChartRows, chartOfTwo, tooltip } from "./run-chart.ts";

const CHANGED = {
  "in both": TONES.grey,
  differs: TONES.red,
  "only in A": TONES.blue,
  "only in B": TONES.orange,
} as const;

/** The node runs of both, in the order of the graph; equal ones stand beside each other. */
export function trajectories(a: ChartOfRun, b: ChartOfRun): Chart {
  return chartOfTwo<AlignedStop>([a, b], {
    ask: async (traces, [first, second]) =>
      alignedStops(
        await traceQueries.trajectory(traces, first),
        await traceQueries.trajectory(traces, second),
      ),
    draw: trajectoriesOf,
  });
}

function trajectoriesOf(rows: readonly AlignedStop[], about: string): ChartRows<AlignedStop> {
  const kinds = Object.entries(CHANGED).filter(([kind]) => rows.some((row) => row.kind === kind));
  const places = new Set(rows.map(({ place }) => place)).size;
  const other = rows.filter(({ kind }) => kind !== "in both").length;
  const subtitle =
    rows.length === 0 ? "neither has begun a node" : other === 0 ? "both went the same way" : "";
  return {
    spec: {
      title: {
        text: "The ways two runs went",
        subtitle: [...about.split("\n"), ...(subtitle === "" ? [] : [subtitle])],
      },
      width: { step: 250 },
      height: { step: Math.max(barStep(places), 16) },
      encoding: {
        x: {
          field: "run",
          type: "nominal",
          title: null,
          scale: { domain: ["A", "B"], paddingInner: 0.04 },
          axis: { orient: "top", labelAngle: 0, domain: false, ticks: false, grid: false },
        },
        y: { field: "place", type: "ordinal", title: null, axis: null },
      },
      layer: [
        {
          mark: { type: "rect", cornerRadius: 3 },
          encoding: {
            color: {
              field: "kind",
              type: "nominal",
              title: null,
              scale: { domain: kinds.map(([kind]) => kind), range: kinds.map(([, tone]) => tone) },
            },
            tooltip: tooltip("run", "node", "count", "status", "seconds", "kind"),
          },
        },
        {
          mark: { type: "text", color: INK, limit: 235 },
          encoding: { text: { field: "text", type: "nominal" } },
        },
      ],
    },
    figures: [
      { title: "place", cell: ({ place }) => `${place}`, isNumber: true },
      { title: "run", cell: ({ run }) => run },
      { title: "node run", cell: ({ text }) => text },
      { title: "status", cell: ({ status }) => status },
      {
        title: "time",
        cell: ({ seconds }) => (seconds === null ? "-" : durationText(seconds * 1_000)),
        isNumber: true,
      },
      { title: "", cell: ({ kind }) => kind },
    ],
  };
}

/** `10k`, and `0.005`: thousands have a letter, thousandths none, since `5m` would be read as minutes. */
const SHORT_NUMBERS = "format(datum.value, abs(datum.value) >= 1000 ? '~s' : '~g')";

/** A node's figure in B less that in A. */
interface DeltaBar extends traceQueries.NodeDelta {
  readonly delta: number;
  readonly than: string;
}

const UNITS: Readonly<Record<string, string>> = {
  seconds: "seconds of work",
  tokens: "tokens",
  USD: "USD",
};

/** Charts the difference in time, tokens and dollars of each node between runs A and B. */
export function deltas(a: ChartOfRun, b: ChartOfRun): Chart {
  return chartOfTwo<traceQueries.NodeDelta, DeltaBar>([a, b], {
    ask: (traces, [first, second]) => traceQueries.nodeDeltas(traces, { a: first, b: second }),
    draw: deltasOf,
  });
}

function deltasOf(all: readonly traceQueries.NodeDelta[], about: string): ChartRows<DeltaBar> {
  const unknown = all.filter((row) => row.measure === "USD" && (row.a === null || row.b === null));
  const rows = all
    .filter((row) => !unknown.includes(row))
    .map((row) => {
      const delta = (row.b ?? 0) - (row.a ?? 0);
      const than = delta > 0 ? "more in B" : delta < 0 ? "less in B" : "the same";
      return { ...row, measure: UNITS[row.measure] ?? row.measure, delta, than };
    });
  const colours = { "more in B": PALETTE[1], "less in B": PALETTE[0], "the same": PALETTE[6] };
  const there = Object.entries(colours).filter(([than]) => rows.some((row) => row.than === than));
  const note =
    unknown.length === 0
      ? []
      : [`cost not known, and so not drawn: ${unknown.map(({ node }) => node).join(", ")}`];
  const nodes = new Set(rows.map(({ node }) => node)).size;
  return {
    spec: {
      title: {
        text: "What run B took more or less than run A",
        subtitle: [...about.split("\n"), ...note],
      },
      mark: { type: "bar", minBandSize: 2 },
      width: 130,
      height: { step: barStep(nodes) },
      resolve: { scale: { x: "independent" } },
      encoding: {
        column: {
          field: "measure",
          type: "nominal",
          title: null,
          sort: Object.values(UNITS),
          header: { labelColor: INK, labelFontSize: 12, labelFontWeight: 600 },
        },
        y: { field: "node", type: "nominal", sort: null, title: null },
        x: {
          field: "delta",
          type: "quantitative",
          title: "B less A",
          axis: { tickCount: 4, labelExpr: SHORT_NUMBERS },
        },
        color: {
          field: "than",
          type: "nominal",
          title: null,
          scale: { domain: there.map(([than]) => than), range: there.map(([, colour]) => colour) },
        },
        tooltip: tooltip("node", "measure", "a", "b", "delta"),
      },
    },
    rows,
    figures: [
      { title: "node", cell: ({ node }) => node },
      { title: "measure", cell: ({ measure }) => measure },
      { title: "A", cell: ({ a, measure }) => amountText(a, measure), isNumber: true },
      { title: "B", cell: ({ b, measure }) => amountText(b, measure), isNumber: true },
      {
        title: "B less A",
        cell: ({ delta, measure }) => amountText(delta, measure),
        isNumber: true,
      },
    ],
  };
}

function amountText(amount: number | null, measure: string): string {
  if (amount === null) return "-";
  if (measure === UNITS.seconds) return durationText(amount * 1_000);
  return String(Number(amount.toPrecision(4)));
}
