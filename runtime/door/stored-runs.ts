/** Groups for the door the types of stored, kept and imported runs. */
export type { KeptFieldState, KeptState } from "../session/lasting-states.ts";
export type { RememberedAnswer } from "../session/remembered-answers.ts";
export type { Forgotten } from "../session/session-memories.ts";
export { looksLikeSpans } from "../session/spans.ts";
export { MEMORY_STATES, type MemoryEntry, type MemoryFilter } from "../store/memories/memory.ts";
export type { ForkedFrom, RunMeta } from "../store/run-store.ts";
export type { SpansImported } from "../trace/otlp/exchange-spans.ts";
export type { ImportedRun } from "../trace/otlp/import/imported-runs.ts";
export type { PublishedTraces, TracePruneOptions } from "../trace/trace-store.ts";
