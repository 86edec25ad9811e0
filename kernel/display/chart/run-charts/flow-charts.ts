/** Draws messages between agents, calls of tools and failed attempts. */
import { traceQueries } from "../../../../runtime/index.ts";
import { LOOKS } from "../../graph/node-look.ts";
import { counted } from "../../visible.ts";
import { CARD, FITTED, INK, PALETTE, STEPS } from "../config.ts";
import type { Chart } from "../spec.ts";
import { barStep, type ChartRows, chartOfRuns, type OfRuns, tooltip } from "./run-chart.ts";

/** Charts the number of messages between each two nodes. */
export function messageFlow(runs?: OfRuns): Chart {
  return chartOfRuns(runs, { ask: traceQueries.flows, draw: flowsOf });
}

function flowsOf(
  rows: readonly traceQueries.FlowEdge[],
  about: string,
): ChartRows<traceQueries.FlowEdge> {
  const most = Math.max(1, ...rows.map(({ messages }) => messages));
  const least = Math.min(most, ...rows.map(({ messages }) => messages));
  // The lightest fifth is what ink is read on; the rest has the card's colour.
  const light = least + (most - least) / STEPS.length;
  return {
    spec: {
      title: {
        text: "Messages from whom to whom",
        subtitle: [about, ...(rows.length === 0 ? ["no messages were sent"] : [])],
      },
      width: { step: 56 },
      height: { step: 30 },
      encoding: {
        x: {
          field: "recipient",
          type: "nominal",
          title: "to",
          axis: { labelAngle: -35, grid: false },
        },
        y: { field: "sender", type: "nominal", title: "from", axis: { grid: false } },
      },
      layer: [
        {
          mark: { type: "rect", stroke: CARD, strokeWidth: 2 },
          encoding: {
            color: {
              field: "messages",
              type: "quantitative",
              // Each cell has its number.
              legend: null,
              scale:
                least === most
                  ? { domain: [least, most], range: [STEPS[0], STEPS[0]] }
                  : { type: "quantize", domain: [least, most], range: [...STEPS] },
            },
            tooltip: tooltip("sender", "recipient", "messages"),
          },
        },
        {
          mark: { type: "text", fontSize: 11 },
          encoding: {
            text: { field: "messages", type: "quantitative" },
            color: {
              condition: {
                test: `datum.messages < ${light} || ${least === most}`,
                value: INK,
              },
              value: CARD,
            },
          },
        },
      ],
    },
    figures: [
      { title: "from", cell: ({ sender }) => sender },
      { title: "to", cell: ({ recipient }) => recipient },
      { title: "messages", cell: ({ messages }) => counted(messages), isNumber: true },
    ],
  };
}

/** Charts the outcomes of the calls of each tool. */
export function toolFailures(runs?: OfRuns): Chart {
  return chartOfRuns(runs, { ask: traceQueries.toolOutcomes, draw: outcomesOf });
}

function outcomesOf(
  rows: readonly traceQueries.ToolOutcome[],
  about: string,
): ChartRows<traceQueries.ToolOutcome> {
  const total = rows.reduce((sum, { calls }) => sum + calls, 0);
  const failed = rows.filter(({ outcome }) => outcome !== "ok");
  const failures = failed.reduce((sum, { calls }) => sum + calls, 0);
  const subtitle =
    total === 0
      ? "no tool was called"
      : `${counted(failures)} of ${counted(total, "call")} failed (${percent(failures / total)})`;
  const kinds = [...new Set(failed.map(({ outcome }) => outcome))];
  const isOk = rows.some(({ outcome }) => outcome === "ok");
  return {
    spec: {
      title: { text: "How the calls of each tool ended", subtitle: [about, subtitle] },
      mark: { type: "bar", stroke: CARD, strokeWidth: 1 },
      ...FITTED,
      height: { step: barStep(new Set(rows.map(({ tool }) => tool)).size) },
      encoding: {
        y: { field: "tool", type: "nominal", sort: null, title: null },
        x: { field: "calls", type: "quantitative", title: "calls" },
        color: {
          field: "outcome",
          type: "nominal",
          title: "ended",
          scale: {
            domain: [...(isOk ? ["ok"] : []), ...kinds],
            range: [...(isOk ? [LOOKS.succeeded.stroke] : []), ...troubleColours(kinds)],
          },
        },
        order: { field: "outcome", type: "nominal", sort: "descending" },
        tooltip: tooltip("tool", "outcome", "calls", "share"),
      },
    },
    figures: [
      { title: "tool", cell: ({ tool }) => tool },
      { title: "ended", cell: ({ outcome }) => outcome },
      { title: "calls", cell: ({ calls }) => counted(calls), isNumber: true },
      { title: "share", cell: ({ share }) => percent(share), isNumber: true },
    ],
  };
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

/** The first is red; each class of errors has a colour of its own as long as there are some. */
function troubleColours(kinds: readonly string[]): readonly string[] {
  const colours = [LOOKS.failed.stroke, PALETTE[3], PALETTE[4], PALETTE[5], PALETTE[6], PALETTE[1]];
  return kinds.map((_, index) => colours[index % colours.length] ?? INK);
}

/** Attempts that failed, by node and by what failed in them. */
export function failures(runs?: OfRuns): Chart {
  return chartOfRuns(runs, { ask: traceQueries.failedAttempts, draw: failuresOf });
}

function failuresOf(
  rows: readonly traceQueries.FailedAttempts[],
  about: string,
): ChartRows<traceQueries.FailedAttempts> {
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const again = rows.reduce((sum, row) => sum + row.tried_again, 0);
  const subtitle = failedText(failed, again);
  const kinds = [...new Set(rows.map(({ error }) => error))];
  return {
    spec: {
      title: { text: "Failed attempts by node", subtitle: [about, subtitle] },
      mark: { type: "bar", stroke: CARD, strokeWidth: 1 },
      ...FITTED,
      height: { step: barStep(new Set(rows.map(({ node }) => node)).size) },
      encoding: {
        y: { field: "node", type: "nominal", sort: null, title: null },
        x: {
          field: "failed",
          type: "quantitative",
          title: "failed attempts",
          axis: { tickMinStep: 1, format: "d" },
        },
        color: {
          field: "error",
          type: "nominal",
          title: "class of the error",
          scale: { domain: kinds, range: troubleColours(kinds) },
        },
        order: { field: "error", type: "nominal" },
        tooltip: tooltip("node", "error", "failed", "tried_again", "attempts"),
      },
    },
    figures: [
      { title: "node", cell: ({ node }) => node },
      { title: "error", cell: ({ error }) => error },
      { title: "failed", cell: (row) => counted(row.failed), isNumber: true },
      { title: "tried again", cell: (row) => counted(row.tried_again), isNumber: true },
      { title: "of attempts", cell: ({ attempts }) => counted(attempts), isNumber: true },
    ],
  };
}

function failedText(failed: number, again: number): string {
  if (failed === 0) return "no attempt failed";
  if (failed === 1) return `1 failed attempt, ${again === 1 ? "" : "not "}tried again`;
  return `${counted(failed)} failed attempts, of which ${counted(again)} were tried again`;
}
