/** Groups for the door the queries behind charts, reports and tables of runs. */
export { runsFacts } from "../trace/charts/chart-runs.ts";
export {
  type NodeDelta,
  nodeDeltas,
  type PathStop,
  patchesUpto,
  type StepPatches,
  trajectory,
} from "../trace/charts/compare-queries.ts";
export {
  type ReportedFact,
  type ReportedRun,
  type ReportedStep,
  type RunReport,
  runReport,
} from "../trace/charts/report.ts";
export { type SentinelCheck, sentinelChecks } from "../trace/charts/sentinel-queries.ts";
export { type FieldSize, stateSizes } from "../trace/charts/state-sizes.ts";
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
} from "../trace/charts/timeline-queries.ts";
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
} from "../trace/charts/usage-queries.ts";
export { summarizeNodes } from "../trace/ingest/summarize-nodes.ts";
export {
  type NodeSummary,
  type NodeTokens,
  nodeTable,
  runFacts,
  tokensByNode,
} from "../trace/sql/queries.ts";
