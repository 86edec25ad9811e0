/** Draws how large the state of a run grew, and what one step changed in it. */
import { RunError, shortRunId, traceQueries } from "../../../../runtime/index.ts";
import { LOOKS } from "../../graph/node-look.ts";
import { counted, cut, visibleLine } from "../../visible.ts";
import { FITTED, INK, PALETTE } from "../config.ts";
import type { Chart } from "../spec.ts";
import { barStep, type ChartOfRun, type ChartRows, chartOfRun, tooltip } from "./run-chart.ts";
import { changesOf, type StateChange } from "./state-changes.ts";

/** Charts the size of the state after each step, by field. */
export function stateSize(run: ChartOfRun): Chart {
  return chartOfRun(run, { ask: traceQueries.stateSizes, draw: sizesOf });
}

/** The greatest number of bars; with more steps, each bar is the last of several. */
const BARS_MAX = 400;

function sizesOf(
  all: readonly traceQueries.FieldSize[],
  about: string,
): ChartRows<traceQueries.FieldSize> {
  const steps = 1 + all.reduce((last, { step }) => Math.max(last, step), 0);
  const [last] = all.slice(-1);
  const every = Math.ceil(steps / BARS_MAX);
  // The last of each group of steps, and the run's last one.
  const rows =
    every === 1 ? all : all.filter(({ step }) => step % every === 0 || step === last?.step);
  const thinned = every === 1 ? [] : [`every ${counted(every)}th of ${counted(steps, "step")}`];
  return {
    spec: {
      title: { text: "Size of the state after each step", subtitle: [about, ...thinned] },
      mark: { type: "bar" },
      ...FITTED,
      height: 240,
      encoding: {
        x: {
          field: "step",
          type: "ordinal",
          title: "step",
          axis: { labelAngle: 0, labelOverlap: true },
        },
        y: { field: "bytes", type: "quantitative", title: "bytes of JSON" },
        color: { field: "field", type: "nominal", title: "field" },
        tooltip: tooltip("step", "node", "field", "bytes"),
      },
    },
    rows,
    figures: [
      { title: "step", cell: ({ step }) => `${step}`, isNumber: true },
      { title: "node", cell: ({ node }) => node ?? "-" },
      { title: "field", cell: ({ field }) => field },
      { title: "bytes", cell: ({ bytes }) => counted(bytes), isNumber: true },
    ],
  };
}

/**
 * Charts the changes of one step: each place in the state with its size and its values before and
 * after. Throws `RunError` M7613 for a step that the run does not have.
 */
export function stateDiff(run: ChartOfRun, step: number): Chart {
  return chartOfRun<StateChange, ChartedChange>(run, {
    ask: async (traces, id) => {
      const patches = await traceQueries.patchesUpto(traces, { run: id, step });
      if (step < 0 || !patches.some((one) => one.step === step)) {
        throw new RunError("M7613", `run \`${shortRunId(id)}\` has no step ${step}`, {
          hint: "`madrigal show RUN` lists the steps; 0 is the start of the run",
          runId: id,
        });
      }
      return changesOf(patches, step);
    },
    draw: (rows, about) => diffOf(rows, { about, step }),
  });
}

/** More is read in a table: `run.steps[n]`, or the view `state_changes`. */
const CHANGES_MAX = 200;
const VALUE_CHARACTERS = 44;

const CHANGE_COLOURS = {
  add: LOOKS.succeeded.stroke,
  replace: PALETTE[0],
  remove: LOOKS.failed.stroke,
} as const;

interface ChartedChange extends StateChange {
  /** The label above its bar. */
  readonly text: string;
}

function diffOf(
  all: readonly StateChange[],
  { about, step }: { readonly about: string; readonly step: number },
): ChartRows<ChartedChange> {
  const rows = all.slice(0, CHANGES_MAX).map((change) => ({ ...change, text: changeText(change) }));
  const node = all[0]?.node;
  const kinds = Object.entries(CHANGE_COLOURS).filter(([op]) => rows.some((row) => row.op === op));
  const more =
    all.length > rows.length ? [`the first ${CHANGES_MAX} of ${counted(all.length)}`] : [];
  const none = all.length === 0 ? ["the state did not change"] : [];
  return {
    spec: {
      title: {
        text: `What step ${step} changed${node === null || node === undefined ? "" : `: ${node}`}`,
        subtitle: [about, ...more, ...none],
      },
      ...FITTED,
      height: { step: Math.max(barStep(rows.length), 30) },
      encoding: {
        y: { field: "path", type: "nominal", sort: null, title: null },
        x: {
          field: "bytes",
          type: "quantitative",
          title: "bytes of JSON, more or less than before",
        },
      },
      layer: [
        {
          mark: { type: "bar", height: 5, yOffset: 7 },
          encoding: {
            color: {
              field: "op",
              type: "nominal",
              title: "change",
              scale: { domain: kinds.map(([op]) => op), range: kinds.map(([, colour]) => colour) },
            },
            tooltip: tooltip("path", "op", "before", "after", "bytes"),
          },
        },
        {
          mark: { type: "text", align: "left", dy: -5, color: INK, limit: 560 },
          encoding: { x: { value: 4 }, text: { field: "text", type: "nominal" } },
        },
      ],
    },
    rows,
    figures: [
      { title: "path", cell: ({ path }) => path },
      { title: "change", cell: ({ op }) => op },
      { title: "before", cell: ({ before }) => before ?? "" },
      { title: "after", cell: ({ after }) => after ?? "" },
      {
        title: "bytes",
        cell: ({ bytes }) => (bytes > 0 ? `+${bytes}` : `${bytes}`),
        isNumber: true,
      },
    ],
  };
}

function changeText({ before, after }: StateChange): string {
  const [old, now] = [before, after].map((text) =>
    text === null ? "" : cut(visibleLine(text), VALUE_CHARACTERS),
  );
  if (before === null) return `${now}`;
  return after === null ? `${old} → (nothing)` : `${old} → ${now}`;
}
