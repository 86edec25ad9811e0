/** Exports what commands say of stored runs, as one group of the door of runtime. */

export type { ForkedFrom, RunMeta } from "../store/index.ts";
export type { SpansImported } from "../trace/otlp/exchange-spans.ts";
export type { ImportedRun } from "../trace/otlp/import/imported-runs.ts";
export type { TracePruneOptions } from "../trace/trace-store.ts";
export type { KeptFieldState, KeptState } from "./lasting-states.ts";
export { looksLikeSpans } from "./spans.ts";
