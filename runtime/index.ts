/** Exports all that other layers may use of the runtime: names, and the groups of `door/` as namespaces. */

import { hash } from "node:crypto";
import { useSha256 } from "../dsl/index.ts";

useSha256((text) => hash("sha256", text));

export { AgentSession } from "./agent-sessions/agent-session.ts";
export type {
  CallItem,
  FileItem,
  PlanItem,
  QuestionItem,
  SessionItem,
  SessionTurn,
} from "./agent-sessions/session-item.ts";
export { SessionTally } from "./agent-sessions/session-tally.ts";
export { a2aController } from "./agents/a2a/a2a-controller.ts";
export {
  type RemoteAgentFacts,
  RemoteAgents,
  type RemoteAgentsOptions,
  remoteAgents,
} from "./agents/a2a/remote-agents.ts";
export type { A2aOptions } from "./agents/a2a/remote-options.ts";
export type { BrowserToolsOptions } from "./agents/browser/browser-options.ts";
export { type BrowserTools, createBrowserTools } from "./agents/browser/browser-tools.ts";
export type { LivePage, PersonAct, TakenPage } from "./agents/browser/live-page.ts";
export { createDocsTools, type DocsTools } from "./agents/built-in-tools/docs-tools.ts";
export type { BlocksResult, CodeResult } from "./agents/code/code-result.ts";
export {
  type CodeTools,
  type CodeToolsOptions,
  createCodeTools,
} from "./agents/code/code-tools.ts";
export {
  type ControllerScript,
  type ScriptedController,
  type ScriptedOptions,
  scriptedController,
} from "./agents/controllers/scripted.ts";
export type { ScriptedStep, ScriptedTurn } from "./agents/controllers/scripted-turn.ts";
export {
  createFileTools,
  createFolderTools,
  type FileTools,
  type FileToolsOptions,
} from "./agents/files/file-tools.ts";
export type { FunctionContext } from "./agents/functions/function-context.ts";
export {
  type Cassette,
  type CassetteOptions,
  cassette,
  type UnusedAnswer,
} from "./agents/models/cassette/cassette.ts";
export type { CassetteMode } from "./agents/models/cassette/cassette-handle.ts";
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
export type { Scope } from "./agents/scope/scope.ts";
export {
  type Tool,
  type ToolContext,
  type ToolEffect,
  type ToolOptions,
  tool,
} from "./agents/scope/tools.ts";
export { classifyShell } from "./agents/shell/classify-shell.ts";
export { withoutUnseen } from "./agents/values/unseen-characters.ts";
export {
  braveSearch,
  type SearchHit,
  type SearchProvider,
  searxngSearch,
  tavilySearch,
} from "./agents/web/search-providers.ts";
export type { WebToolsOptions } from "./agents/web/web-options.ts";
export { createWebTools, type WebPage, type WebTools } from "./agents/web/web-tools.ts";
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
export { Timeline } from "./debug/timeline.ts";
export { RunTree } from "./debug/tree.ts";
/** Finds a browser for the tools `browser.*`, for the command that examines an installation. */
export * as browsers from "./door/browsers.ts";
/** Messages of conversations, read, written and shown. */
export * as conversations from "./door/conversations.ts";
/** For front ends of the debugger: arrows, scopes, comparisons and warnings as they show them. */
export * as debugging from "./door/debugging.ts";
export * as documents from "./door/documents.ts";
/** Compares values with JSON Schemas. */
export * as jsonSchemas from "./door/json-schemas.ts";
/** Says what is known of models before a run. */
export * as models from "./door/models.ts";
/** Hides secrets and private values from people. */
export * as redaction from "./door/redaction.ts";
/** Messages, tasks and parts of A2A, for the command that offers graphs as agents. */
export * as remote from "./door/remote.ts";
/** Results of replays and reruns, for commands that report them. */
export * as repeatedRuns from "./door/repeated-runs.ts";
/** Serves graphs to Restate, and moves runs there and back. */
export * as restate from "./door/restate.ts";
/** Says whether code can run in a sandbox here. */
export * as sandboxes from "./door/sandboxes.ts";
/** Builds the TypeScript scope of a program, and reads the signatures of its tools. */
export * as scopes from "./door/scopes.ts";
/** The way in to servers of tools, for the command that logs a person in. */
export * as servers from "./door/servers.ts";
/** Lists skills and reads them before a run. */
export * as skills from "./door/skills.ts";
/** Types of stored, kept and imported runs, for commands that report them. */
export * as storedRuns from "./door/stored-runs.ts";
/** The queries behind charts, reports and tables of runs. */
export * as strongAgents from "./door/strong-agents.ts";
export * as traceQueries from "./door/trace-queries.ts";
export type { Envelope, MessageKind } from "./envelope.ts";
export { CurrentValue } from "./event-stream/current-value.ts";
export { followedEvents } from "./event-stream/followed-events.ts";
export type {
  StreamEvent,
  StreamMessage,
  StreamMessagePart,
  StreamMode,
  Streams,
  StreamUpdate,
  StreamWholeMessage,
} from "./event-stream/stream-types.ts";
export type { ToolProgress } from "./events/kinds/call-events.ts";
export type { RunEvent } from "./events/kinds/run-event.ts";
export { type Failure, messageOf, RunError } from "./failure.ts";
export type { CalledRun } from "./history/called-runs.ts";
export { RunStep, type Step } from "./history/step.ts";
export type {
  InterceptedAttempt,
  InterceptedEnd,
  InterceptedModelAnswer,
  InterceptedModelCall,
  InterceptedNode,
  InterceptedOutput,
  InterceptedRun,
  InterceptedToolCall,
  InterceptedToolResult,
  Interceptor,
  Veto,
} from "./intercept/interceptor.ts";
export type { Answer, Interrupt } from "./interrupt.ts";
export type { ConversationMessage } from "./messages/message.ts";
export { readGivenMessages as readMessages } from "./messages/read-given-messages.ts";
export {
  type AiSdkMessage,
  type LangChainMessage,
  toAiSdk,
  toLangChain,
} from "./messages/write-foreign.ts";
export type { PlanReading, PlanReadOptions } from "./plans/convert-plan.ts";
export type { PlanFormat } from "./plans/plan-format.ts";
export { planning } from "./plans/planning.ts";
export { plans } from "./plans/plans.ts";
export type { CoveredArrow, GraphCoverage } from "./program-tests/covered-arrow.ts";
export { coverGraphs, runTest } from "./program-tests/later.ts";
export type { TestOptions } from "./program-tests/run-test.ts";
export type { TestFault, TestResult } from "./program-tests/test-result.ts";
export {
  ANSWER_BYTES_MAX,
  ANSWER_FILES_MAX,
  asksForFiles,
  type GivenFile,
  isGivenFile,
  readGivenFile,
  tooLarge,
} from "./questions/given-files.ts";
export { answerCall } from "./questions/interrupts.ts";
export {
  type AutoPerson,
  type Persona,
  type PersonGraph,
  people,
} from "./questions/simulated-people.ts";
export type { ModelSource } from "./records/call-records.ts";
export type { LogRecord } from "./records/records.ts";
export { STATUS_AFTER_ATTEMPT } from "./records/records.ts";
export { noteModule } from "./rerun/beside.ts";
export { continueThereHint } from "./run/assert-graph.ts";
export type { DrivenRun } from "./run/driven-run.ts";
export { Graph } from "./run/graph.ts";
export type { Run, SteerOptions, UseOptions } from "./run/handle.ts";
export { GraphRun } from "./run/run.ts";
export type { RunOptions, TurnOptions } from "./run/run-options.ts";
export { shortRunId, shortRunIds } from "./run-names.ts";
export type { RunStatus } from "./run-status.ts";
export type { DueRun } from "./session/due-runs.ts";
export type { KeptStates } from "./session/lasting-states.ts";
export type { RememberedAnswers } from "./session/remembered-answers.ts";
export {
  type CompileOptions,
  type OpenOptions,
  Session,
  type SessionOptions,
} from "./session/session.ts";
export type { ExportedCalls, ExportOptions, RunImportOptions } from "./session/stored-runs.ts";
export { pathText } from "./state/path.ts";
export type { Pruned, PruneOptions, RunFilter, RunSummary } from "./store/run-store.ts";
export type { Exported } from "./store/transfer/run-file.ts";
export { type Workspace, workspaceAt } from "./store/workspace.ts";
export type { BusyPolicy } from "./threads/next-turn.ts";
export type { Endpoint } from "./trace/otlp/import/endpoint.ts";
export { SqlError } from "./trace/sql/sql-error.ts";
export type { Row, TraceStore, ValueTable } from "./trace/trace-store.ts";
export type { Usage } from "./usage.ts";
