/** Exports all that other layers may use of the runtime; nothing else of runtime/ is imported from outside. */

export { createDocsTools, type DocsTools } from "./agents/built-in-tools/docs-tools.ts";
export {
  type ControllerScript,
  type ScriptedController,
  type ScriptedOptions,
  scriptedController,
} from "./agents/controllers/scripted.ts";
export type { ScriptedStep, ScriptedTurn } from "./agents/controllers/scripted-turn.ts";
export type { FunctionContext } from "./agents/functions/function-context.ts";
export type { ModelChoice } from "./agents/models/model-handle.ts";
export { scripted } from "./agents/models/scripted.ts";
export {
  type ApprovalAnswer,
  type Controller,
  type ControllerCapabilities,
  type ControllerChunk,
  type ControllerEvent,
  type ControllerUsage,
  controller,
  controllerLost,
  type ResumeRequest,
  type SessionFacet,
  type SessionHandle,
  type SessionSnapshot,
  type StartRequest,
  sessionGone,
} from "./agents/operator/controller.ts";
export { rules } from "./agents/rules/rules.ts";
/** What a program may name of TypeScript, and what is read of its tools. */
export * as scopes from "./agents/scope/index.ts";
export type { Scope } from "./agents/scope/scope.ts";
export {
  type Tool,
  type ToolContext,
  type ToolEffect,
  type ToolOptions,
  tool,
} from "./agents/scope/tools.ts";
export type { Artifact, ArtifactKind, ArtifactOptions } from "./artifact.ts";
export type {
  Breakpoint,
  BreakpointAt,
  BreakpointOn,
  BreakpointOnEdge,
  CostBreakpoint,
  Stop,
  Watchpoint,
} from "./breakpoints/breakpoint-types.ts";
export { type Command, type CommandOptions, command, type Send } from "./command.ts";
export type { Bisected, BisectOptions } from "./debug/bisect.ts";
export type { Blame } from "./debug/blame.ts";
export { RunDiff } from "./debug/compare/run-diff.ts";
export { Debugger } from "./debug/debugger.ts";
export type { Explored, ExploreOptions } from "./debug/explore.ts";
export type { DebugFrame } from "./debug/frames.ts";
/** What front ends of the debugger show. */
export * as debugging from "./debug/index.ts";
export { Timeline } from "./debug/timeline.ts";
export { RunTree } from "./debug/tree.ts";
export type { Envelope, MessageKind } from "./envelope.ts";
export type {
  StreamEvent,
  StreamMessage,
  StreamMessagePart,
  StreamMode,
  Streams,
  StreamUpdate,
  StreamWholeMessage,
} from "./event-stream/stream-types.ts";
export type { RunEvent } from "./events/kinds/run-event.ts";
export { type Failure, messageOf, RunError } from "./failure.ts";
export { RunStep, type Step } from "./history/step.ts";
export type { Answer, Interrupt } from "./interrupt.ts";
export { answerCall } from "./questions/interrupts.ts";
export { STATUS_AFTER_ATTEMPT } from "./records/attempt-status.ts";
export type { ModelSource } from "./records/call-records.ts";
export type { LogRecord } from "./records/records.ts";
/** What is hidden where people look at values. */
export * as redaction from "./redaction/index.ts";
/** Replays and reruns, for commands that report on them. */
export * as comparing from "./replay/index.ts";
export { noteModule } from "./rerun/beside.ts";
export { continueThereHint } from "./run/assert-graph.ts";
export type { DrivenRun } from "./run/driven-run.ts";
export { Graph } from "./run/graph.ts";
export type { Run, UseOptions } from "./run/handle.ts";
export { GraphRun } from "./run/run.ts";
export type { RunOptions } from "./run/run-options.ts";
export { shortRunId, shortRunIds } from "./run-names.ts";
export type { RunStatus } from "./run-status.ts";
/** What commands say of stored runs. */
export * as storedRuns from "./session/index.ts";
export type { KeptStates } from "./session/lasting-states.ts";
export {
  type CompileOptions,
  type OpenOptions,
  Session,
  type SessionOptions,
} from "./session/session.ts";
export type { ExportOptions, RunImportOptions } from "./session/stored-runs.ts";
export { pathText } from "./state/path.ts";
export type {
  Exported,
  Pruned,
  PruneOptions,
  RunFilter,
  RunSummary,
  Workspace,
} from "./store/index.ts";
export { workspaceAt } from "./store/index.ts";
export { runTest } from "./testing/later.ts";
export type { TestFault, TestResult } from "./testing/test-result.ts";
/** The queries behind charts, reports and tables of runs. */
export * as traceQueries from "./trace/charts/index.ts";
export type { Endpoint } from "./trace/otlp/import/endpoint.ts";
export { SqlError } from "./trace/sql/sql-error.ts";
export type { Row, TraceStore } from "./trace/trace-store.ts";
export type { Usage } from "./usage.ts";
