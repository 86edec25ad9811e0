/** Exports what other folders use of display: values become bundles, runs drawings, rows tables and charts. */

export { sessionPage, sessionText } from "./agent-sessions/session-bundle.ts";
export { type ChartData, chart } from "./chart/chart.ts";
export { type PlotData, plot } from "./chart/plot.ts";
export type { QuickChart, QuickOptions } from "./chart/quick-types.ts";
export * from "./chart/run-charts/chart-functions.ts";
export { CHART_ARGUMENTS } from "./chart/run-charts/chart-table.ts";
export { CHARTS, type NamedChart } from "./chart/run-charts/charts.ts";
export { type ChartOfRun, idOf, type OfRuns } from "./chart/run-charts/run-chart.ts";
export { type StateChange, stateFolder } from "./chart/run-charts/state-changes.ts";
export type { LatencyOptions } from "./chart/run-charts/usage-charts.ts";
export type { Chart, ChartDrawing, ChartSpec } from "./chart/spec.ts";
export { darkRules } from "./chart/theme.ts";
export { drawCoverage } from "./graph/coverage-drawing.ts";
export { dotText } from "./graph/dot.ts";
export { drawGraph, type NodeState, type Statuses } from "./graph/draw.ts";
export { drawnGraph } from "./graph/drawn-graphs.ts";
export { graphText } from "./graph/graph-bundle.ts";
export { layoutGraph } from "./graph/layout.ts";
export type { GraphLayout } from "./graph/placed.ts";
export {
  html,
  image,
  type Markup,
  type MarkupTag,
  md,
  type PictureSize,
  type PictureValue,
  svg,
} from "./markup.ts";
export { ProgressBar, type ProgressOptions, progress } from "./progress.ts";
export { drawingsReady, followRun, showForms } from "./run/follow-run.ts";
export { rememberRunList } from "./run/list-bundles.ts";
export { nodeDetails, nodeDetailsInRun } from "./run/node-details.ts";
export { rememberOutput, rememberOutputsOf } from "./run/output-bundle.ts";
export { Pace } from "./run/pace.ts";
export type { RunJson } from "./run/run-bundle.ts";
export { clear, display, isDisplayed, page, type ShownDisplay } from "./show.ts";
export type { Column, ColumnQuestion, Parameter } from "./table/column.ts";
export type { CsvOptions } from "./table/csv.ts";
export { queryRows } from "./table/query-rows.ts";
export { Rows } from "./table/rows.ts";
export { tellNextPage } from "./table/table.ts";
export { toBundle } from "./to-bundle.ts";
export { counted } from "./visible.ts";
