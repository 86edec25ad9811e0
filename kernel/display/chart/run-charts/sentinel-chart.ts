/** Draws the checks of nodes with `every`: when each happened, what it came to, and how long it had been waited for. */
import { traceQueries } from "../../../../runtime/index.ts";
import { LOOKS } from "../../graph/node-look.ts";
import type { TextColumn } from "../../text-table.ts";
import { counted } from "../../visible.ts";
import { FITTED, PALETTE, TONES } from "../config.ts";
import type { Chart } from "../spec.ts";
import { type ChartOfRun, type ChartRows, chartOfRun, tooltip } from "./run-chart.ts";
import { longText } from "./time-parts.ts";

/** Charts the checks of the sentinels of a run by their times; the height is the wait before each. */
export function sentinelChecks(run: ChartOfRun): Chart {
  return chartOfRun(run, { ask: traceQueries.sentinelChecks, draw: checksOf });
}

const VERDICTS = {
  "not met": { colour: PALETTE[0], shape: "circle" },
  met: { colour: LOOKS.succeeded.stroke, shape: "diamond" },
  failed: { colour: LOOKS.failed.stroke, shape: "cross" },
} as const;

function checksOf(
  checks: readonly traceQueries.SentinelCheck[],
  about: string,
): ChartRows<traceQueries.SentinelCheck> {
  const names = new Set(checks.map(({ sentinel }) => sentinel));
  const there = Object.entries(VERDICTS).filter(([word]) =>
    checks.some(({ verdict }) => verdict === word),
  );
  const domain = there.map(([word]) => word);
  const judged = { field: "verdict", type: "nominal", title: "judged" };
  const late = lateOf(checks);
  return {
    spec: {
      title: {
        text: "When each check came, and what it judged",
        subtitle: [about, ...[...names].map((name) => storyOf(name, checks)), ...late],
      },
      ...FITTED,
      height: 220,
      encoding: {
        x: { field: "at", type: "temporal", title: "time (UTC)" },
        y: waitAxis(checks),
        tooltip: tooltip("sentinel", "check", "verdict", "reason", "at", "gap_s", "late_s", "next"),
      },
      layer: [
        {
          mark: { type: "line", interpolate: "step-before", color: TONES.grey, strokeWidth: 1 },
          encoding: {
            detail: { field: "sentinel" },
            ...(names.size > 1
              ? { strokeDash: { field: "sentinel", type: "nominal", sort: null, title: "node" } }
              : {}),
          },
        },
        {
          transform: [{ filter: "datum.late_s > 0.02 * datum.gap_s" }],
          mark: { type: "rule", strokeWidth: 5, color: LOOKS.ready.stroke },
          encoding: { x: { field: "due", type: "temporal" }, x2: { field: "began" } },
        },
        {
          mark: { type: "point", opacity: 1 },
          encoding: {
            // Checks that are met or failed are few: their points are large and above the others.
            size: {
              condition: { test: "datum.verdict === 'not met'", value: sizeOf(checks.length) },
              value: 70,
            },
            order: { field: "verdict", type: "nominal", sort: "descending" },
            color: { ...judged, scale: { domain, range: there.map(([, { colour }]) => colour) } },
            shape: { ...judged, scale: { domain, range: there.map(([, { shape }]) => shape) } },
          },
        },
      ],
    },
    figures: CHECK_FIGURES,
  };
}

/** Many points are small, so that each of them is still seen. */
function sizeOf(checks: number): number {
  if (checks <= 60) return 70;
  return checks <= 200 ? 30 : 14;
}

/** `watch: 12 checks in 3 d 4 h, then met`. */
function storyOf(name: string, all: readonly traceQueries.SentinelCheck[]): string {
  const checks = all.filter(({ sentinel }) => sentinel === name);
  const seconds = checks.reduce((sum, { gap_s }) => sum + gap_s, 0);
  const last = checks.at(-1);
  const end = last?.ended == null ? pendingText(last) : `, then ${ENDS[last.ended] ?? last.ended}`;
  return `${name}: ${counted(checks.length, "check")} in ${longText(seconds)}${end}`;
}

const ENDS: Readonly<Record<string, string>> = {
  met: "its condition was met",
  times: "as many as were asked for were done",
  max: "its `max` was used up",
  errors: "it gave up, because too many went wrong",
};

function pendingText(last: traceQueries.SentinelCheck | undefined): string {
  const next = last?.next;
  return next == null ? "" : `, the next is due at ${next.slice(0, 19).replace("T", " ")}`;
}

function lateOf(checks: readonly traceQueries.SentinelCheck[]): readonly string[] {
  const late = checks.filter(({ late_s, gap_s }) => late_s > 0.02 * gap_s);
  if (late.length === 0) return checks.length === 0 ? ["no check of a node with `every` yet"] : [];
  const seconds = late.reduce((sum, { late_s }) => sum + late_s, 0);
  return [`thick: overdue, as while the run was paused; ${longText(seconds)} in all`];
}

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];

/** The ticks of people, in seconds. */
const TICKS = [
  ...[0.001, 0.01, 0.1, 1, 5, 15],
  ...[1, 5, 15].map((minutes) => minutes * MINUTE),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 30, 90, 365].map((days) => days * DAY),
];

const TICK_TEXT = `datum.value < ${MINUTE} ? format(datum.value, '~g') + ' s'
  : datum.value < ${HOUR} ? format(datum.value / ${MINUTE}, '~g') + ' min'
  : datum.value < ${2 * DAY} ? format(datum.value / ${HOUR}, '~g') + ' h'
  : format(datum.value / ${DAY}, '~g') + ' d'`;

/**
 * Returns the axis of waits. Waits that differ more than fiftyfold are told apart by their powers; the first check, which has
 * no wait, then stands at the bottom.
 */
function waitAxis(checks: readonly traceQueries.SentinelCheck[]) {
  const waits = checks.flatMap(({ due, gap_s }) => (due === null ? [] : [gap_s]));
  const low = waits.reduce((least, wait) => Math.min(least, wait), Number.POSITIVE_INFINITY);
  const high = checks.reduce((most, { gap_s }) => Math.max(most, gap_s), 0);
  const isLog = low > 0 && high / low > 50;
  const step = TICKS.find((tick) => high / tick <= 6) ?? high / 4;
  const even = Array.from({ length: Math.floor(high / step) + 1 }, (_, index) => index * step);
  return {
    field: "gap_s",
    type: "quantitative",
    title: "time since the check before",
    scale: isLog ? { type: "log", domainMin: low, clamp: true } : {},
    axis: {
      values: isLog ? TICKS.filter((tick) => tick >= low && tick <= high) : even,
      labelExpr: TICK_TEXT,
    },
  };
}

const CHECK_FIGURES: readonly TextColumn<traceQueries.SentinelCheck>[] = [
  { title: "sentinel", cell: ({ sentinel }) => sentinel },
  { title: "check", cell: ({ check }) => `${check}`, isNumber: true },
  { title: "at (UTC)", cell: ({ at }) => at.slice(0, 19).replace("T", " ") },
  { title: "judged", cell: ({ verdict }) => verdict },
  { title: "wait", cell: ({ gap_s }) => longText(gap_s), isNumber: true },
  { title: "late", cell: ({ late_s }) => (late_s >= 1 ? longText(late_s) : ""), isNumber: true },
  { title: "reason", cell: ({ reason }) => reason ?? "" },
];
