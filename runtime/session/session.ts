/** One process's life with Madrigal: its workspace, its store, its trace, its runs. */

import {
  type CheckOptions,
  check,
  type Diagnostic,
  type Ir,
  renderDiagnostic,
} from "../../dsl/index.ts";
import { createLimiter } from "../agents/models/limiter.ts";
import { offeredBy } from "../agents/scope/offered.ts";
import type { Scope } from "../agents/scope/scope.ts";
import { systemClock } from "../clock.ts";
import type { Bisected, BisectOptions } from "../debug/bisect.ts";
import { type RunTree, runTree } from "../debug/tree.ts";
import { fittedGraph } from "../edited-program/fitting.ts";
import { hasOwnAgents, withStoredPrompts } from "../edited-program/own-prompts.ts";
import { isSameShape } from "../edited-program/same-shape.ts";
import { RunError } from "../failure.ts";
import { recentLog } from "../history/past.ts";
import { lastProgram } from "../history/same-text.ts";
import type { Interceptor } from "../intercept/interceptor.ts";
import { InterceptorList } from "../intercept/interceptors-of-run.ts";
import { createRedactor, secretsOf } from "../redaction/redact.ts";
import type { DrivenRun } from "../run/driven-run.ts";
import { Graph } from "../run/graph.ts";
import type { ResumeOptions } from "../run/handle.ts";
import type { GraphOrigin, RunOptions } from "../run/run-options.ts";
import type { SessionParts } from "../run/session-parts.ts";
import { namedRunId } from "../run-names.ts";
import { isUnderWay } from "../store/lasting-fields/thread-holder.ts";
import { currentOwner } from "../store/lease.ts";
import { memoryRunStore, openRunStore } from "../store/open-store.ts";
import type { RunFilter, RunStore, RunSummary } from "../store/run-store.ts";
import { makePrivateFolder, type Workspace, workspaceAt } from "../store/workspace.ts";
import type { StartThread } from "../trace/thread/threaded-traces.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import { DueRuns } from "./due-runs.ts";
import { resolvePlace } from "./program-place.ts";
import { openSessionTraces } from "./session-traces.ts";
import { Spans } from "./spans.ts";
import { StoredRuns } from "./stored-runs.ts";
import { workspacePrice } from "./workspace-price.ts";

/** The longest delay of traces behind their logs while nobody queries them, in milliseconds. */
const FOLLOW_MS = 500;

export interface SessionOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The storage of runs: the workspace's `runs.sqlite`, or this process's memory. */
  readonly store?: "disk" | "memory";
  /** Names this process among the owners of runs and traces: `cli`, a kernel's name. */
  readonly name?: string;
  readonly cliModels?: Readonly<Record<string, string>>;
  /** Of who only reads stored runs: a workspace that can't be written will do. */
  readonly isForReading?: boolean;
  /** Of a process that stays: it takes over the traces that dead ones have left. */
  readonly isLasting?: boolean;
  /** Starts the thread of the traces; for who knows how to load our files faster than Node. */
  readonly startThread?: StartThread;
  /** Called within `run`, `debug`, and what sets a stored run going, before any event; what it throws harms nobody. */
  readonly started?: (run: DrivenRun) => void;
}

export interface CompileOptions {
  readonly file?: string;
  readonly scope?: Scope;
  readonly scopeFile?: string;
}

/** Options for opening a stored run. */
export interface OpenOptions extends RunOptions, CompileOptions, Omit<ResumeOptions, "graph"> {
  /** The program to go on with. */
  readonly ir?: Ir;
}

export class Session {
  readonly workspace: Workspace;
  readonly store: RunStore;
  readonly stored: StoredRuns;
  /** Runs as spans of OpenTelemetry. */
  readonly spans: Spans;
  /** Of a session that says none, it is the process's, which a cell may change. */
  readonly #cwd: string | undefined;
  readonly #parts: SessionParts;
  /** Those that this process drives, and the last ones that it drove. */
  readonly #runs = new Set<DrivenRun>();
  /** Each graph as last compiled here, with its TypeScript: what its stored runs go on with. */
  readonly #graphs = new Map<string, { readonly ir: Ir; readonly scope: Scope }>();
  /** The TypeScript of each file that was compiled here: graphs of other cells are called with that of their own. */
  readonly #files = new Map<string, Scope>();
  /** Of a session on disk: the runs that asked for memory. */
  #memory: RunStore | undefined;
  #due: DueRuns | undefined;
  readonly #isOnDisk: boolean;
  readonly #isLasting: boolean;
  #following: NodeJS.Timeout | undefined;
  #traces: Promise<TraceStore> | undefined;
  readonly #loadTraces: () => Promise<TraceStore>;

  constructor(options: SessionOptions = {}) {
    const { cwd = process.cwd(), env = process.env, store = "disk", name = "cli" } = options;
    this.#cwd = options.cwd;
    this.workspace = workspaceAt(cwd, env);
    this.#isOnDisk = store === "disk";
    this.#isLasting = options.isLasting === true;
    const { isForReading = false } = options;
    if (store === "disk" && !isForReading) makePrivateFolder(this.workspace.dataDir);
    this.store =
      store === "disk" ? openRunStore(this.workspace, { isForReading }) : memoryRunStore();
    const secrets = secretsOf(env);
    const redactor = createRedactor(secrets);
    this.#loadTraces = () => {
      const { store, workspace } = this;
      const { redactForTrace: redact } = redactor;
      const place = { tracesDir: workspace.tracesDir, owner: name, store };
      return openSessionTraces(place, { ...options, secrets, redact });
    };
    this.stored = new StoredRuns({
      redactor,
      env,
      own: this.store,
      storeWith: (id) => this.#storeWith(id),
      traces: () => this.traces(),
    });
    this.spans = new Spans({
      env,
      tracesDir: this.workspace.tracesDir,
      redact: redactor.redactForTrace,
      traces: () => this.traces(),
      find: (id) => this.#storeWith(id).find(id).runId,
      isOwn: (runId) => this.#stores().some((one) => hasRun(one, runId)),
    });
    this.#parts = {
      store: (keep) => this.#storeFor(keep),
      owner: currentOwner(`${name}-${process.pid}`),
      env,
      ...(options.cliModels === undefined ? {} : { cliModels: options.cliModels }),
      prices: (id) => workspacePrice(this.store.writable.rowsOf("model_prices"), id, Date.now()),
      redactor,
      limiter: createLimiter(systemClock),
      interceptors: new InterceptorList(),
      recorded: () => this.#follow(),
      askTraces: async (question) => {
        const seen = this.#runsFor(question.runId);
        return await (await this.traces()).answer({ ...question, seen });
      },
      holderOf: (thread) => {
        const holder = this.list({ thread }).find(isUnderWay);
        if (holder === undefined) return undefined;
        const isLost = holder.status === "running" && holder.owner === undefined;
        return { run: this.open(holder.runId), isLost };
      },
      started: (run) => {
        this.#keep(run);
        tell(options.started, run);
      },
    };
  }

  /**
   * The graphs of a text; throws M5002 with the first error's frame when it has errors. `programs` opens the programs that it
   * imports, `apis` the descriptions of APIs; their graphs are called with the same scope.
   */
  compile(
    text: string,
    options: CompileOptions & Pick<CheckOptions, "programs" | "apis" | "skills"> = {},
  ): Readonly<Record<string, Graph>> {
    const { file = "cell", scope, ...beside } = options;
    const source = { file, text };
    const { diagnostics, graphs } = check(source, { ...offeredBy(scope), ...beside });
    const error = diagnostics.find(({ severity }) => severity === "error");
    if (error !== undefined) throw textError(error, renderDiagnostic(error, source));
    return Object.fromEntries(graphs.map((ir) => [ir.name, this.graph(ir, options)]));
  }

  /** Has all later runs ask an interceptor, in the place of the one of that name; the result takes it away again. */
  intercept(interceptor: Interceptor): () => void {
    return this.#parts.interceptors.add(interceptor);
  }

  /** `folder` is the one that the program was compiled in, where that is not the working folder now. */
  graph(ir: Ir, options: CompileOptions & { readonly folder?: string } = {}): Graph {
    const { scope = {}, folder = this.#cwd ?? process.cwd() } = options;
    this.#graphs.set(ir.name, { ir, scope });
    if (ir.source !== undefined) this.#files.set(ir.source.file, scope);
    return this.#graph(ir, { scope, ...resolvePlace(folder, options) });
  }

  /**
   * A stored run by its id, its short form, a unique beginning of it, or `last`; `resume()` goes on with it, with the program `ir` (else
   * its graph as it was last compiled here, where that has the shape of the stored one) and that one's scope.
   */
  open(id: string, options: OpenOptions = {}): DrivenRun {
    const store = this.#storeWith(id);
    const runId = this.#findIn(store, id);
    const running = this.#driven(runId);
    if (running !== undefined) return running;
    const meta = store.meta(runId);
    const compiled = this.#graphs.get(meta.graph);
    const known = compiled && { ...compiled, ir: withStoredPrompts(compiled.ir, meta.prompts) };
    const { folder } = meta;
    const { file = meta.file, scopeFile = meta.scopeFile } = options;
    const origin = {
      scope: options.scope ?? known?.scope ?? {},
      ...(file === undefined ? {} : { file }),
      ...(scopeFile === undefined ? {} : { scopeFile }),
      ...(folder === undefined ? {} : { folder }),
    };
    const isEdit = (before: Ir, now: Ir) => isSameShape(before, now) && !hasOwnAgents(before, now);
    const chosen = (before: Ir) =>
      options.ir ?? (known !== undefined && isEdit(before, known.ir) ? known.ir : before);
    const recent = recentLog(store, meta);
    if (recent !== undefined && chosen(meta.ir).hash === meta.graphHash) {
      return this.#graph(chosen(meta.ir), origin).open({ meta, store, log: recent }, options);
    }
    const records = store.read(runId);
    // What it was resumed with last: it may have been of another shape than at its start.
    const graph = { ir: chosen(lastProgram(records) ?? meta.ir) };
    const ir = fittedGraph(meta, { records, change: { ...options, graph } });
    return this.#graph(ir, origin).open({ meta, store, log: records }, options);
  }

  /** The id of the run that a word names: of one that has its log here, or that only the traces know; M5107 for none. */
  async findRunId(word: string): Promise<string> {
    try {
      return this.#findIn(this.#storeNamed(word), word);
    } catch (thrown) {
      const { tracedRunId } = await import("../trace/sql/traced-run-id.ts");
      const traced = await tracedRunId(await this.traces(), word);
      if (traced === undefined) throw thrown;
      return traced;
    }
  }

  /** Newest first. */
  list(filter?: RunFilter): readonly RunSummary[] {
    const all = this.#stores().flatMap((store) => store.list(filter));
    return all.sort((a, b) => b.createdAt - a.createdAt).slice(0, filter?.limit);
  }

  /** Looks for runs that time alone goes on with. */
  get due(): DueRuns {
    this.#due ??= new DueRuns({ stores: () => this.#stores(), open: (runId) => this.open(runId) });
    return this.#due;
  }

  /** The branch tree of a thread, or of the thread of a run. */
  tree(id: string): RunTree {
    return runTree(this, id);
  }

  /** Since when a condition of SQL holds for runs, and what changed before the first of them. */
  async bisect({ runs, ...about }: BisectOptions): Promise<Bisected> {
    const { bisect } = await import("../debug/bisect.ts");
    const ids = runs?.map((id) => this.#storeWith(id).find(id).runId);
    const metaOf = (runId: string) =>
      this.#stores()
        .find((store) => hasRun(store, runId))
        ?.meta(runId);
    const traces = () => this.traces();
    return await bisect({ traces, metaOf }, ids === undefined ? about : { ...about, runs: ids });
  }

  /** The trace of all runs of this workspace, up to date with the log. Opened on first use. */
  async traces(): Promise<TraceStore> {
    this.#traces ??= this.#openTraces();
    const traces = await this.#traces;
    await this.#ingest(traces);
    return traces;
  }

  async #ingest(traces: TraceStore): Promise<void> {
    for (const store of this.#stores()) await traces.ingest(store);
  }

  /** Pauses what is under way, brings the trace up to date and closes the files. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#runs].map((run) => run.leave("closed")));
    clearTimeout(this.#following);
    if (this.#traces !== undefined) {
      const traces = await this.traces();
      await traces.close();
    }
    this.store.close();
  }

  async #openTraces(): Promise<TraceStore> {
    const traces = await this.#loadTraces();
    // It tells by warnings what it could not do.
    if (this.#isLasting) void traces.takeOver();
    return traces;
  }

  /** Traces that are open follow the logs, a little behind. */
  #follow(): void {
    if (this.#traces === undefined || this.#following !== undefined) return;
    this.#following = setTimeout(() => {
      this.#following = undefined;
      // One that is closing has nothing to tell; the others tell by warnings.
      this.traces().catch(() => {});
    }, FOLLOW_MS).unref();
  }

  #graph(ir: Ir, origin: GraphOrigin): Graph {
    return new Graph(ir, this.#parts, { others: (file) => this.#files.get(file), ...origin });
  }

  /** The runs that an agent of this run may look at: those of its user, and of nobody. */
  #runsFor(runId: string): readonly string[] {
    const runs = this.list();
    const own = runs.find((one) => one.runId === runId)?.user;
    return runs.filter(({ user }) => user === undefined || user === own).map((one) => one.runId);
  }

  #stores(): readonly RunStore[] {
    return this.#memory === undefined ? [this.store] : [this.store, this.#memory];
  }

  #storeFor(keep: "memory" | "disk" | undefined): RunStore {
    if (keep === undefined || keep === (this.#isOnDisk ? "disk" : "memory")) return this.store;
    if (keep === "disk") throw noDisk();
    this.#memory ??= memoryRunStore();
    return this.#memory;
  }

  /** The store that has the run an id means; the session's own where none has. */
  #storeWith(id: string): RunStore {
    this.spans.assertHasLog(id);
    return this.#storeNamed(id);
  }

  #storeNamed(id: string): RunStore {
    if (this.#memory === undefined) return this.store;
    const runIds = this.list().map(({ runId }) => runId);
    const meant = id === "last" ? runIds[0] : namedRunId(id, runIds);
    return meant !== undefined && hasRun(this.#memory, meant) ? this.#memory : this.store;
  }

  /** A run that is kept nowhere is in no store. */
  #findIn(store: RunStore, word: string): string {
    if (this.#driven(word) !== undefined) return word;
    try {
      return store.find(word).runId;
    } catch (thrown) {
      const driven = [...this.#runs].filter(({ isUnderWay }) => isUnderWay).map(({ id }) => id);
      const runId = word === "last" ? undefined : namedRunId(word, driven);
      if (runId === undefined) throw thrown;
      return runId;
    }
  }

  /** The runs that this process drives, which end or pause with it. */
  get underWay(): readonly DrivenRun[] {
    return [...this.#runs].filter(({ isUnderWay }) => isUnderWay);
  }

  #driven(runId: string): DrivenRun | undefined {
    return [...this.#runs].find(({ id, isUnderWay }) => id === runId && isUnderWay);
  }

  #keep(run: DrivenRun): void {
    for (const other of this.#runs) if (!other.isUnderWay) this.#runs.delete(other);
    this.#runs.add(run);
  }
}

function hasRun(store: RunStore, runId: string): boolean {
  return store.positions().some((position) => position.runId === runId);
}

function tell(started: SessionOptions["started"], run: DrivenRun): void {
  try {
    started?.(run);
  } catch {
    // A listener's own fault; the run is not its to break.
  }
}

function noDisk(): RunError {
  return new RunError("M5111", "this session keeps its runs in memory and has no disk for one", {
    hint: 'make it with `store: "disk"`, or run with `store: "memory"`',
  });
}

function textError(error: Diagnostic, frame: string): RunError {
  return new RunError(
    "M5002",
    `${error.code} ${error.file}:${error.line}:${error.column} ${error.message}`,
    {
      hint: frame,
    },
  );
}
