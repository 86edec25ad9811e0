/** Groups for the door what front ends of the debugger show: arrows, scopes, comparisons, warnings. */
export { arrowsOf } from "../breakpoints/arrows.ts";
export type { BreakpointWarning } from "../breakpoints/unanswered.ts";
export { alignedByKey, type Pair } from "../compare/align.ts";
export { assertGraphOfRuns } from "../debug/assert-graph-of-runs.ts";
export { isTold, totalTexts } from "../debug/compare/run-diff.ts";
export { SCOPES, type ScopeName } from "../debug/scopes.ts";
export type { TimelineChange, TimelinePage } from "../debug/timeline.ts";
export type { TranscriptEntry } from "../debug/transcript.ts";
export { type TreeRun, threadText } from "../debug/tree.ts";
