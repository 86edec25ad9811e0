/** Exports the function of each chart of runs; the package's entry hands them on as they stand here. */

export { deltas, trajectories } from "./compare-charts.ts";
export { flame } from "./flame-chart.ts";
export { failures, messageFlow, toolFailures } from "./flow-charts.ts";
export { lanes } from "./lane-charts.ts";
export { parallelism } from "./parallelism-chart.ts";
export { sentinelChecks } from "./sentinel-chart.ts";
export { stateDiff, stateSize } from "./state-charts.ts";
export {
  costByModel,
  latencies,
  latencyBoxes,
  tokensByAgent,
  tokensByModel,
} from "./usage-charts.ts";
export { waterfall } from "./waterfall-chart.ts";
