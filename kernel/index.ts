/** Exports the package: `import … from "madrigal"` in a cell, a scope file or a host program. */
import { resolve } from "node:path";
import { check as checkText, type Diagnostic } from "../dsl/index.ts";
import {
  type AgentSession,
  type Bisected,
  type BisectOptions,
  type CompileOptions,
  type DrivenRun,
  type Exported,
  type ExportedCalls,
  type ExportOptions,
  type Graph,
  type Interceptor,
  type KeptStates,
  type OpenOptions,
  type Pruned,
  type PruneOptions,
  type RememberedAnswers,
  RunError,
  type RunFilter,
  type RunImportOptions,
  type RunSummary,
  type RunTree,
  scopes,
  type storedRuns,
} from "../runtime/index.ts";
import { type ChartOfRun, rememberOutputsOf, rememberRunList } from "./display/index.ts";
import { assertOnlyInstance } from "./library/own-instance.ts";
import { type SqlTag, sqlTag } from "./library/sql-tag.ts";
import type { DeclareTest } from "./program-tests/graph-tests.ts";
import { programsBeside } from "./programs/programs-beside.ts";
import { closeSession, currentSession } from "./session.ts";

export type { CallOptions, Diagnostic, GraphBuilder, Hop, NodeOptions } from "../dsl/index.ts";
export type {
  A2aOptions,
  AiSdkMessage,
  ApprovalAnswer,
  Artifact,
  ArtifactKind,
  ArtifactOptions,
  AutoPerson,
  Blame,
  Breakpoint,
  BreakpointAt,
  BreakpointOn,
  BreakpointOnEdge,
  BusyPolicy,
  Cassette,
  CassetteMode,
  CassetteOptions,
  Command,
  CommandOptions,
  CompileOptions,
  Controller,
  ControllerCapabilities,
  ControllerChunk,
  ControllerEvent,
  ControllerScript,
  ControllerUsage,
  ConversationMessage,
  CostBreakpoint,
  DebugFrame,
  DrivenRun,
  Envelope,
  Explored,
  ExploreOptions,
  Exported,
  ExportedCalls,
  ExportOptions,
  Failure,
  FunctionContext,
  Graph,
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
  LangChainMessage,
  MessageKind,
  ModelChoice,
  Persona,
  PersonGraph,
  Pruned,
  PruneOptions,
  RemoteAgentFacts,
  RemoteAgents,
  RemoteAgentsOptions,
  ResumeRequest,
  Row,
  Run,
  RunDiff,
  RunEvent,
  RunFilter,
  RunImportOptions,
  RunOptions,
  RunStatus,
  RunSummary,
  RunTree,
  Scope,
  ScriptedController,
  ScriptedOptions,
  ScriptedStep,
  ScriptedTurn,
  Send,
  SessionFacet,
  SessionHandle,
  SessionSnapshot,
  StartRequest,
  Step,
  Stop,
  StreamEvent,
  StreamMessage,
  StreamMessagePart,
  StreamMode,
  Streams,
  StreamUpdate,
  StreamWholeMessage,
  Timeline,
  Tool,
  ToolContext,
  ToolEffect,
  ToolOptions,
  TurnOptions,
  UnusedAnswer,
  Usage,
  UseOptions,
  Veto,
  Watchpoint,
} from "../runtime/index.ts";
export {
  a2aController,
  braveSearch,
  cassette,
  classifyShell,
  command,
  controller,
  controllerLost,
  createBrowserTools,
  createCodeTools,
  createDocsTools,
  createFileTools,
  createFolderTools,
  createWebTools,
  Debugger,
  people,
  planning,
  plans,
  RunError,
  readMessages,
  remoteAgents,
  rules,
  scripted,
  scriptedController,
  searxngSearch,
  sessionGone,
  tavilySearch,
  toAiSdk,
  toLangChain,
  tool,
} from "../runtime/index.ts";
export { confirm, input, prompt, select } from "./cells/questions/input.ts";
export type { Comm, CommHandler, CommMessage, CommOptions } from "./comms/comm.ts";
export { comm } from "./comms/comm-api.ts";
export type { CommTarget } from "./comms/comms.ts";
export * from "./display/chart/run-charts/chart-functions.ts";
export {
  type Chart,
  type ChartOfRun,
  type ChartSpec,
  chart,
  clear,
  display,
  html,
  image,
  type LatencyOptions,
  type Markup,
  type MarkupTag,
  md,
  type OfRuns,
  type PictureSize,
  type PictureValue,
  type PlotData,
  type ProgressBar,
  type ProgressOptions,
  page,
  plot,
  progress,
  Rows,
  svg,
} from "./display/index.ts";
export { connect } from "./http-client/connect.ts";
export {
  button,
  checkbox,
  date,
  dropdown,
  form,
  type InputOptions,
  number,
  pickRows,
  slider,
  text,
} from "./inputs/controls.ts";
export type { Input } from "./inputs/input-value.ts";
export { type BuildOptions, graph } from "./library/build-graph.ts";

export type { SqlTag } from "./library/sql-tag.ts";

assertOnlyInstance();

/**
 * Writes a page that holds all of a run: drawing, charts, steps, messages, the final state; or all of one agent's session, of
 * `run.session("coder")`. `.madrigal/out/report-ID.html` unless `file` says where; the path.
 */
export async function report(of: ChartOfRun | AgentSession, file?: string): Promise<string> {
  // Loaded only now: whoever runs graphs needs nothing of it.
  const { writeReport } = await import("./report/write-report.ts");
  return await writeReport(of, file);
}

/** The graphs of a text, by name; throws M5002 with the first error's frame when the text has errors. */
export function compile(text: string, options?: CompileOptions): Readonly<Record<string, Graph>> {
  return currentSession().compile(text, { ...options, ...programsAround(text, options) });
}

/** The programs that a text imports stand beside its file; beside a text without one, in the working folder. */
function programsAround(text: string, { file = "cell" }: Pick<CompileOptions, "file"> = {}) {
  const { open, apis, skills } = programsBeside({ source: { file, text }, path: resolve(file) });
  return { programs: open, apis, skills };
}

/** Returns the diagnostics of a text; never throws. */
export function check(
  text: string,
  { file = "cell", scope }: Pick<CompileOptions, "file" | "scope"> = {},
): readonly Diagnostic[] {
  const beside = programsAround(text, { file });
  return checkText({ file, text }, { ...scopes.offeredBy(scope), ...beside }).diagnostics;
}

/** The entries of memories in this workspace. */
export const memories = {
  /** Those of one memory, of one user, or in one state: `kept`, `proposed`, `superseded`. */
  list: (filter?: storedRuns.MemoryFilter): readonly storedRuns.MemoryEntry[] =>
    currentSession().stored.memories.list(filter),
  /** Puts another value into an entry. */
  edit: (id: string, value: unknown): storedRuns.MemoryEntry =>
    currentSession().stored.memories.edit(id, value),
  /** Keeps a proposed entry, so that it is recalled from now on. */
  approve: (id: string): storedRuns.MemoryEntry => currentSession().stored.memories.approve(id),
  /** Deletes entries for good, with `redactLogs` in the logs of the runs that stored or recalled them, too. */
  forget: (
    ids: readonly string[],
    options?: { readonly redactLogs?: boolean },
  ): storedRuns.Forgotten => currentSession().stored.memories.forget(ids, options),
};

/** The runs on this workspace's disk, also those of processes that are gone. */
export const runs = {
  /** A run by its id, its short form, a unique beginning of it, or `last`. */
  open: (id: string, options?: OpenOptions): DrivenRun =>
    rememberOutputsOf(currentSession().open(id, options)),
  /** The newest run, of any graph or of this one. */
  last: (graph?: string): DrivenRun => {
    if (graph === undefined) return runs.open("last");
    const [newest] = currentSession().list({ graph, limit: 1 });
    if (newest !== undefined) return runs.open(newest.runId);
    throw new RunError("M5107", `there is no run of \`${graph}\` yet`, {
      hint: "start one, or choose one of `runs.list()`",
    });
  },
  list: (filter?: RunFilter): readonly RunSummary[] =>
    rememberRunList(currentSession().list(filter)),
  /** The branch tree of a thread, or of the thread of a run: its runs, where each left which, what is another in it. */
  tree: (of: string | { readonly id: string }): RunTree =>
    currentSession().tree(typeof of === "string" ? of : of.id),
  /** Since when a condition of SQL (over a row of the view `runs`) holds: first bad run, last good one, what changed. */
  bisect: (options: BisectOptions): Promise<Bisected> => currentSession().bisect(options),
  /** Writes a run to a file, `ID.madrigal-run` with its whole id unless it is named: its graph, its log, its artifacts. */
  export: (id: string, file?: string, options?: ExportOptions): Exported =>
    currentSession().stored.export(id, file, options),
  /** Writes the model calls of a run as a cassette, `ID.cassette.jsonl` unless it is named. */
  cassette: (id: string, file?: string): Promise<ExportedCalls> =>
    currentSession().stored.cassette(id, file),
  /** Takes a run from such a file. */
  import: (file: string, options?: RunImportOptions): DrivenRun =>
    runs.open(currentSession().stored.import(file, options)),
  /** Takes a run away, its log with it; M5105 while somebody drives it. */
  delete: (id: string): string => currentSession().stored.delete(id),
  /** Takes a thread away: its runs and what it keeps. */
  deleteThread: (thread: string): readonly string[] => currentSession().stored.deleteThread(thread),
  /** Makes another thread of a thread's runs and what it keeps; the ids of the new runs. */
  copyThread: (from: string, to: string): readonly string[] =>
    currentSession().stored.copyThread(from, to),
  /**
   * The values that threads keep between runs: `list()`, `show(thread)`, `edit(thread, values)`,
   * `reset(thread, fields)`, `migrate(thread, function)`.
   */
  get threads(): KeptStates {
    return currentSession().stored.threads;
  },
  /** The same of users. */
  get users(): KeptStates {
    return currentSession().stored.users;
  },
  /** The answers that threads remember: `list(thread)`, and `forget(ids)`, after which runs that start ask again. */
  get answers(): RememberedAnswers {
    return currentSession().stored.answers;
  },
  /** Clears out old runs, and artifacts that no run names. */
  prune: (options?: PruneOptions): Pruned => currentSession().stored.prune(options),
};

/**
 * Has all later runs of this process ask an interceptor, in the place of the one of that name; the result takes it away
 * again.
 */
export function intercept(interceptor: Interceptor): () => void {
  return currentSession().intercept(interceptor);
}

/** Asks the traces of all runs of the workspace; holes are parameters, never part of the text. */
export const sql: SqlTag & {
  /** The same for a query of more than 100,000 rows. */
  readonly rowsMax: (rowsMax: number) => SqlTag;
} = Object.assign(sqlTag(), { rowsMax: (rowsMax: number) => sqlTag({ rowsMax }) });

/** Pauses what runs, brings the traces up to date and closes the files; the next call opens them again. */
export const close = closeSession;

/**
 * Declares the tests of a program with Vitest's `test`, or that of another runner:
 * `await graphTests(new URL("./review.madrigal", import.meta.url), test)`.
 */
export async function graphTests(file: string | URL, declare: DeclareTest): Promise<void> {
  // Loaded only now: whoever runs graphs needs nothing of it.
  const { declareTests } = await import("./program-tests/graph-tests.ts");
  await declareTests(file, declare);
}
