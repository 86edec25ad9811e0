/** Every chart of runs by its name on the command line, and what it is drawn of. */
import type { LatencyOf } from "../../../../runtime/index.ts";
import type { Chart } from "../spec.ts";
import { deltas, trajectories } from "./compare-charts.ts";
import { flame } from "./flame-chart.ts";
import { failures, messageFlow, toolFailures } from "./flow-charts.ts";
import { lanes } from "./lane-charts.ts";
import { parallelism } from "./parallelism-chart.ts";
import type { OfRun } from "./run-chart.ts";
import { stateDiff, stateSize } from "./state-charts.ts";
import {
  costByModel,
  latencies,
  latencyBoxes,
  tokensByAgent,
  tokensByModel,
} from "./use-charts.ts";
import { waterfall } from "./waterfall-chart.ts";

/** `run`: of one; `runs`: of any number, none of them meaning all; `two`: A and B; `step`: of one step of a run. */
export type NamedChart = { readonly says: string } & (
  | { readonly of: "run"; readonly make: (run: OfRun) => Chart }
  | { readonly of: "runs"; readonly make: (runs: readonly OfRun[] | undefined) => Chart }
  | {
      readonly of: "timed runs";
      readonly make: (
        runs: readonly OfRun[] | undefined,
        options: { readonly by?: LatencyOf },
      ) => Chart;
    }
  | { readonly of: "two"; readonly make: (a: OfRun, b: OfRun) => Chart }
  | { readonly of: "step"; readonly make: (run: OfRun, step: number) => Chart }
);

export const CHARTS: Readonly<Record<string, NamedChart>> = {
  waterfall: { of: "run", make: waterfall, says: "when each node ran, and the critical path" },
  lanes: { of: "run", make: lanes, says: "the steps, a lane for each branch" },
  flame: { of: "run", make: flame, says: "where the time went, by depth" },
  parallelism: { of: "run", make: parallelism, says: "how much ran at once" },
  tokens: { of: "runs", make: tokensByModel, says: "tokens by agent and model" },
  "tokens-by-agent": { of: "run", make: tokensByAgent, says: "tokens read and written by agent" },
  cost: { of: "runs", make: costByModel, says: "cost by agent and model" },
  latencies: { of: "timed runs", make: latencies, says: "which share took at most how long" },
  "latency-boxes": { of: "timed runs", make: latencyBoxes, says: "how long things took, as boxes" },
  "state-size": { of: "run", make: stateSize, says: "the size of the state by field" },
  messages: { of: "runs", make: messageFlow, says: "messages from whom to whom" },
  tools: { of: "runs", make: toolFailures, says: "how the calls of each tool ended" },
  failures: { of: "runs", make: failures, says: "failed attempts by node" },
  trajectories: { of: "two", make: trajectories, says: "the ways two runs went, aligned" },
  deltas: { of: "two", make: deltas, says: "what run B took more or less than run A" },
  "state-diff": { of: "step", make: stateDiff, says: "what one step changed in the state" },
};
