/**
 * Lists every chart of runs: its function, its name on the command line, its runs, its line of help. `madrigal chart`, its
 * help, `%help` and the manual's test read this table. It imports types alone, so that help is quick.
 */
import type * as chartFunctions from "./chart-functions.ts";

/** The runs of a chart: one; any number, none of them meaning all; two, A and B; one step of one. */
export type ChartRuns = "run" | "runs" | "timed runs" | "two" | "step";

export interface ChartEntry {
  /** As in `madrigal chart NAME`. */
  readonly name: string;
  readonly of: ChartRuns;
  /** One line, the same in every help. */
  readonly says: string;
}

/** By the chart's function; a function without an entry, or an entry without a function, does not compile. */
export const CHART_TABLE = {
  waterfall: {
    name: "waterfall",
    of: "run",
    says: "when each node ran, and the critical path",
  },
  lanes: { name: "lanes", of: "run", says: "the steps, a lane for each branch" },
  flame: { name: "flame", of: "run", says: "where the time went, by depth" },
  parallelism: { name: "parallelism", of: "run", says: "how much ran at once" },
  sentinelChecks: {
    name: "sentinel-checks",
    of: "run",
    says: "when a node with `every` checked, and what came of it",
  },
  stateSize: { name: "state-size", of: "run", says: "the size of the state by field" },
  stateDiff: { name: "state-diff", of: "step", says: "what one step changed in the state" },
  tokensByAgent: {
    name: "tokens-by-agent",
    of: "run",
    says: "tokens read and written by agent",
  },
  tokensByModel: { name: "tokens", of: "runs", says: "tokens by agent and model" },
  costByModel: { name: "cost", of: "runs", says: "cost by agent and model" },
  latencies: {
    name: "latencies",
    of: "timed runs",
    says: "how long nodes, models or tools took, as curves",
  },
  latencyBoxes: { name: "latency-boxes", of: "timed runs", says: "the same as boxes" },
  messageFlow: { name: "messages", of: "runs", says: "messages from whom to whom" },
  toolFailures: { name: "tools", of: "runs", says: "how the calls of each tool ended" },
  failures: { name: "failures", of: "runs", says: "failed attempts by node" },
  trajectories: { name: "trajectories", of: "two", says: "the ways two runs went, aligned" },
  deltas: { name: "deltas", of: "two", says: "what run B took more or less than run A" },
} as const satisfies Readonly<Record<keyof typeof chartFunctions, ChartEntry>>;

/** The runs of each kind of chart, as a call names them. */
export const CHART_ARGUMENTS: Readonly<Record<ChartRuns, string>> = {
  run: "[RUN]",
  runs: "[RUN…]",
  "timed runs": "[RUN…] [--by node|model|tool]",
  two: "RUN RUN",
  step: "RUN STEP",
};

/** A line for each chart: its name, its runs, what it shows. */
export function chartHelpLines(): readonly string[] {
  const entries: readonly ChartEntry[] = Object.values(CHART_TABLE);
  const calls = entries.map(({ name, of, says }) => ({
    call: `${name} ${CHART_ARGUMENTS[of].replace(/ \[--.*/, "")}`,
    says,
  }));
  const width = Math.max(...calls.map(({ call }) => call.length));
  return calls.map(({ call, says }) => `${call.padEnd(width)}  ${says}`);
}
