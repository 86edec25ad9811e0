/** Joins each entry of the chart table with its function, by the chart's name on the command line. */
import type { traceQueries } from "../../../../runtime/index.ts";
import type { Chart } from "../spec.ts";
import * as chartFunctions from "./chart-functions.ts";
import { CHART_TABLE, type ChartRuns } from "./chart-table.ts";
import type { ChartOfRun } from "./run-chart.ts";

/** The signature of the function of each kind of chart. */
interface ChartMakers {
  readonly run: (run: ChartOfRun) => Chart;
  readonly runs: (runs: readonly ChartOfRun[] | undefined) => Chart;
  readonly "timed runs": (
    runs: readonly ChartOfRun[] | undefined,
    options: { readonly by?: traceQueries.LatencyOf },
  ) => Chart;
  readonly two: (a: ChartOfRun, b: ChartOfRun) => Chart;
  readonly step: (run: ChartOfRun, step: number) => Chart;
}

export type NamedChart = {
  [Of in ChartRuns]: { readonly of: Of; readonly says: string; readonly make: ChartMakers[Of] };
}[ChartRuns];

type ChartTable = typeof CHART_TABLE;

/** Compiles only where each function takes what its entry says. */
const makers: { readonly [Name in keyof ChartTable]: ChartMakers[ChartTable[Name]["of"]] } =
  chartFunctions;

/** Every chart of runs by its name on the command line. */
export const CHARTS: Readonly<Record<string, NamedChart>> = Object.fromEntries(
  Object.entries(CHART_TABLE).map(([key, { name, of, says }]) => [
    name,
    { of, says, make: makers[key as keyof ChartTable] } as NamedChart,
  ]),
);
