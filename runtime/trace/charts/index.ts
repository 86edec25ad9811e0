/** Exports the queries behind charts, reports and tables of runs, as one group of the door of runtime. */

export {
  type NodeSummary,
  type NodeTokens,
  nodeTable,
  runFacts,
  tokensByNode,
} from "../sql/queries.ts";
export { runsFacts } from "./chart-runs.ts";
export {
  type NodeDelta,
  nodeDeltas,
  type PathStop,
  patchesUpto,
  type StepPatches,
  trajectory,
} from "./compare-queries.ts";
export {
  type ReportedFact,
  type ReportedRun,
  type ReportedStep,
  type RunReport,
  runReport,
} from "./report.ts";
export { type FieldSize, stateSizes } from "./state-sizes.ts";
export {
  type FlameFrame,
  frames,
  type LaneBar,
  type LaneBin,
  laneBars,
  laneBins,
  type RunningFrom,
  runningFrom,
  type WaterfallBar,
  waterfallBars,
} from "./timeline-queries.ts";
export {
  type FailedAttempts,
  type FlowEdge,
  failedAttempts,
  flows,
  type LatencyBox,
  type LatencyOf,
  type LatencyPoint,
  latencyBoxes,
  latencyCurves,
  type ModelUse,
  modelUse,
  type ToolOutcome,
  toolOutcomes,
} from "./usage-queries.ts";
