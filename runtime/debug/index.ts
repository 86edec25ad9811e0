/** Exports what front ends of the debugger show, as one group of the door of runtime. */
export { arrowsOf } from "../breakpoints/arrows.ts";
export type { BreakpointWarning } from "../breakpoints/unanswered.ts";
export { alignedByKey, type Pair } from "../compare/align.ts";
export { assertGraphOfRuns } from "./assert-graph-of-runs.ts";
export { isTold, totalTexts } from "./compare/run-diff.ts";
export { SCOPES, type ScopeName } from "./scopes.ts";
export type { TimelineChange, TimelinePage } from "./timeline.ts";
export type { TranscriptEntry } from "./transcript.ts";
export { type TreeRun, threadText } from "./tree.ts";
