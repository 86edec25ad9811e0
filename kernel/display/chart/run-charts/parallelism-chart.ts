/** Draws how many attempts of a run were under way at once. */

import { traceQueries } from "../../../../runtime/index.ts";
import { FITTED } from "../config.ts";
import type { Chart } from "../spec.ts";
import { type ChartOfRun, type ChartRows, chartOfRun, tooltip } from "./run-chart.ts";
import { secondsText } from "./time-parts.ts";

/** Charts the number of attempts that ran at the same time. */
export function parallelism(run: ChartOfRun): Chart {
  return chartOfRun(run, { ask: traceQueries.runningFrom, draw: runningOf });
}

function runningOf(
  rows: readonly traceQueries.RunningFrom[],
  about: string,
): ChartRows<traceQueries.RunningFrom> {
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
      ...FITTED,
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
