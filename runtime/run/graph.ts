/** Starts, reopens, reruns and explores runs of a checked program with the TypeScript that it names. */
import { dirname } from "node:path";
import type { AgentSlots, Ir } from "../../dsl/index.ts";
import { callAtOnce } from "../agents/functions/call-function.ts";
import { createConsentJudge } from "../agents/judges/judge-consent.ts";
import { RunCassettes } from "../agents/models/cassette/cassette-file.ts";
import { OpenSessions } from "../agents/operator/open-sessions.ts";
import { scopeOfFile } from "../agents/scope/file-scopes.ts";
import { layeredScope } from "../agents/scope/layered-scope.ts";
import type { Scope } from "../agents/scope/scope.ts";
import type { SkillPlaces } from "../agents/skills/find-skill.ts";
import { skillHashes } from "../agents/skills/skill-hashes.ts";
import { OpenResources } from "../agents/tools/tool-caller.ts";
import { keeping } from "../agents/values/keeping.ts";
import { codeHashes } from "../attempt/code-hashes.ts";
import { policyJudge } from "../attempt/judge-policy.ts";
import { assertAliases, type RunModels, runModels } from "../attempt/models.ts";
import { readUse } from "../attempt/node-overrides.ts";
import { createPerformers, type PerformedRun } from "../attempt/performers.ts";
import { systemClock } from "../clock.ts";
import { type Explored, type ExploreOptions, explore } from "../debug/explore.ts";
import { fittedGraph } from "../edited-program/fitting.ts";
import { withControllers, withOwnPrompts } from "../edited-program/own-prompts.ts";
import type { Goal } from "../engine/hold.ts";
import { createRxDriver } from "../engine/rx-driver.ts";
import { pastIn } from "../history/past.ts";
import { storedPast } from "../history/stored-steps.ts";
import type { Interceptor } from "../intercept/interceptor.ts";
import {
  allInterceptors,
  assertInterceptorsHere,
  callingInterceptors,
  hasInterceptors,
  InterceptorList,
  interceptedInput,
  interceptorCode,
} from "../intercept/interceptors-of-run.ts";
import { planning } from "../plans/planning.ts";
import { threadAnswers } from "../questions/thread-answers.ts";
import type { LogRecord } from "../records/records.ts";
import type { FollowedLog } from "../remote/remote-owner.ts";
import { redactedNotes } from "../remote/run-notes.ts";
import { recordedAnswers } from "../rerun/answers.ts";
import { codeName, codeOf, type FunctionCode } from "../rerun/code.ts";
import { recordingOf } from "../rerun/open-serving.ts";
import type { Rerun, RerunOptions } from "../rerun/rerun.ts";
import { type Again, againOf, modelsAgain, recordingIn } from "../rerun/rerun-of.ts";
import type { FunctionCall } from "../scheduler/expressions/calls.ts";
import { foldLog } from "../scheduler/fold.ts";
import { link } from "../scheduler/program/link.ts";
import type { Program } from "../scheduler/program/program.ts";
import { noLog } from "../store/log/no-store.ts";
import type { Artifacts, ForkedFrom, RunMeta } from "../store/run-store.ts";
import {
  assertConfig,
  assertThreadIsMine,
  holdsThread,
  keptFor,
  threadWrites,
} from "../threads/load-lasting-fields.ts";
import { memoriesFor } from "../threads/memory-changes.ts";
import { startNextTurn } from "../threads/next-turn.ts";
import { turnToFollow } from "../threads/turns.ts";
import { assertAllTools, assertToolsHere } from "./assert-graph.ts";
import type { Run } from "./handle.ts";
import { assertInput, copiedInput } from "./input.ts";
import { withMode } from "./modes.ts";
import { promptOf } from "./prompt-of.ts";
import { GraphRun } from "./run.ts";
import { newRunId } from "./run-id.ts";
import type { FoundRun, GraphOrigin, RunOptions, TurnOptions } from "./run-options.ts";
import type { BegunGraphRun, PartsOf, RunParts } from "./run-parts.ts";
import { chooseRunPlace, placeIn, serversOf } from "./run-place.ts";
import type { RunPlace } from "./run-storage.ts";
import type { SessionParts } from "./session-parts.ts";
import {
  abortWith,
  answersIn,
  modelsToGoOnWith,
  newRunMeta,
  setBreakpoints,
} from "./start-options.ts";

export class Graph<
  I = Record<string, unknown>,
  O = Record<string, unknown>,
  S = Record<string, unknown>,
  N extends string = string,
> {
  readonly ir: Ir;
  readonly #program: Program;
  readonly #session: SessionParts;
  readonly #origin: GraphOrigin;
  readonly #interceptors = new InterceptorList();

  constructor(ir: Ir, session: SessionParts, origin: GraphOrigin) {
    this.ir = ir;
    this.#program = link(ir);
    this.#session = session;
    this.#origin = { ...origin, scope: layeredScope({ planning }, origin.scope) };
  }

  get name(): string {
    return this.ir.name;
  }

  /** The hashes of the functions and skills that it names. */
  get code(): FunctionCode {
    return this.#codeOf(this.#origin.scope);
  }

  /** Starts a run. What is wrong with the call (input, models, tools) throws here; the run itself never does. */
  run(input: I, options: RunOptions<N> = {}): Run<O, S, N> {
    return this.#with(options.prompts).#start(input, options, "end");
  }

  /**
   * The next run of a thread, of which another one may be under way: `busy` says what becomes of that. Resolves with the new
   * run, with `merge` with the one under way, which hears the texts of the input. Rejects with M5350 where that one stands
   * paused, or `busy` is `reject`.
   */
  async turn(input: I, { busy = "queue", ...options }: TurnOptions<N>): Promise<Run<O, S, N>> {
    const { thread, signal } = options;
    return await startNextTurn<Run<O, S, N>>({
      busy,
      input: Object.values(input as Readonly<Record<string, unknown>>),
      signal,
      start: () => this.run(input, options),
      holder: () => {
        const holder = this.#session.holderOf(thread);
        // With `merge` the result may be a run of another graph of the thread.
        return holder && { ...holder, run: holder.run as unknown as Run<O, S, N> };
      },
    });
  }

  /** A run that is held before its first step: `step()` and `continue()` let it go. */
  debug(input: I, options: RunOptions<N> = {}): Run<O, S, N> {
    return this.#with(options.prompts).#start(input, options, "begin");
  }

  /** Has all later runs of this graph ask an interceptor, as `run({ intercept })` does for one; the result takes it away. */
  intercept(interceptor: Interceptor<N>): () => void {
    return this.#interceptors.add(interceptor);
  }

  /**
   * Tries every order in which the node runs can end, in virtual time and without a model, and says whether what the run
   * comes to depends on it. Functions that expressions call are called, at once and many times.
   */
  explore(input: I, options: ExploreOptions = {}): Explored {
    assertInput(this.ir, input);
    const call = (asked: FunctionCall) => callAtOnce(asked, this.#origin.scope, 0);
    return explore(this.#program, copiedInput(this.ir, input), { ...options, call });
  }

  /**
   * A run of this graph again, as the graph is now: what is unchanged is served from that run, all else is performed. What
   * comes back says what that will take and save; its `run()` starts it.
   */
  async rerun(
    run: { readonly id: string },
    options: RerunOptions<N> = {},
  ): Promise<Rerun<O, S, N>> {
    const prompts = options.prompts ?? recordingIn(run, this.ir).meta.prompts;
    return await this.#with(prompts).#rerun(
      run,
      prompts === undefined ? options : { ...options, prompts },
    );
  }

  async #rerun(
    run: { readonly id: string },
    options: RerunOptions<N> = {},
  ): Promise<Rerun<O, S, N>> {
    const { planRerun } = await import("../rerun/rerun.ts");
    const recorded = recordingIn(run, this.ir);
    const again = {
      ...againOf(recorded, options, this.#program),
      isOfInput: options.input === undefined,
    };
    const { input = recorded.begun?.input, ...more } = options;
    const models = { ...modelsAgain(recorded), ...options.models };
    const start = (parts?: Again["parts"]) => {
      const how = parts === undefined ? again : { ...again, parts };
      const dry = parts && ({ store: "none", breakpoints: [], breaks: false } as const);
      return this.#start(input as I, { ...more, models, ...dry }, "end", how) as never;
    };
    return (await planRerun({ ir: this.ir, recorded, of: options, start })) as never;
  }

  /**
   * This graph with strong agents in the place of agents, by node: `{ code: 'claude_code(cwd: "app")' }`, or a name of the scope.
   * Each keeps its task and what it writes. M8341 for a node that is none, or a controller that can't be read.
   */
  withAgents(slots: AgentSlots): Graph<I, O, S, N> {
    return this.#as(withControllers(this.ir, slots));
  }

  #with(prompts: RunOptions["prompts"]): Graph<I, O, S, N> {
    return this.#as(withOwnPrompts(this.ir, prompts));
  }

  /** This graph with another program, and with its interceptors. */
  #as(ir: Ir): Graph<I, O, S, N> {
    if (ir === this.ir) return this;
    const graph = new Graph<I, O, S, N>(ir, this.#session, this.#origin);
    for (const one of this.#interceptors.all) graph.#interceptors.add(one);
    return graph;
  }

  /** The facts and the input of a new run. Something wrong with the call throws here. */
  begins(given: I, asked: RunOptions<N> = {}, again?: Again): BegunGraphRun {
    assertInput(this.ir, given);
    const options = withMode(this.ir, asked, this.#session.cliModels);
    assertAliases(this.ir, options.models);
    const models = this.#models(options);
    const scope = layeredScope(this.#origin.scope, options.scope);
    assertAllTools(this.ir, (file) => this.#scopeIn(scope, file));
    const runId = newRunId();
    const interceptors = this.#interceptorsOf(options);
    const begins = { run: runId, graph: this.ir.name, input: given };
    const { input, interception } = interceptedInput(interceptors, begins, again);
    assertInput(this.ir, input);
    const place = chooseRunPlace(options.store, this.#session);
    const turn = turnToFollow(options, place);
    const code = { ...this.#codeOf(scope), ...interceptorCode(interceptors, scope) };
    const { ir } = this;
    const of = { runId, ir, models: models.ids, turn, origin: this.#origin, folder: this.#folder };
    const holds = holdsThread(this.#program);
    const fresh = newRunMeta({ ...of, code, holdsThread: holds }, options);
    const meta = again?.metaOf(fresh) ?? fresh;
    assertConfig(this.#program, options.config);
    const kept =
      again === undefined ? keptFor(this.#program, meta, { place: place.kept, turn }) : again.kept;
    const beside = {
      ...(kept === undefined ? {} : { kept }),
      ...(interception === undefined ? {} : { interception }),
    };
    const made = { models: () => models, scope, place, options, interceptors };
    return { meta, input: copiedInput(ir, input), beside, made };
  }

  #start(given: I, asked: RunOptions<N>, goal: Goal, again?: Again): Run<O, S, N> {
    const { meta, input, beside, made } = this.begins(given, asked, again);
    const { place, options } = made;
    let created = false;
    const openLog = () => {
      if (created) return place.open(meta.runId);
      created = true;
      return place.create(meta);
    };
    const recorded = again && { recorded: again.recorded };
    const parts = this.#parts(meta, { ...made, openLog, ...recorded });
    const run = new GraphRun(again?.parts?.(parts) ?? parts);
    setBreakpoints(run, options);
    run.begin(input, goal, beside);
    abortWith(run, options.signal);
    // The check of the text gives what the graph's types say; the run itself knows only JSON.
    return run as unknown as Run<O, S, N>;
  }

  /** The parts of a run that is decided elsewhere: what performs its attempts. Its log and what it keeps are not here. */
  performing(
    meta: RunMeta,
    artifacts: Artifacts,
    given: Pick<RunOptions, "models"> = {},
  ): RunParts {
    let resolved: RunModels | undefined;
    return this.#parts(meta, {
      models: () => {
        resolved ??= this.#models({ models: modelsToGoOnWith(meta, given) }, meta);
        return resolved;
      },
      scope: this.#origin.scope,
      place: { ...chooseRunPlace("none", this.#session), artifacts },
      openLog: () => noLog(meta.runId),
      options: {},
      interceptors: this.#interceptorsOf({}),
    });
  }

  /** The output of a run; rejects with `RunError` when it fails. */
  async invoke(input: I, options: RunOptions<N> = {}): Promise<O> {
    return await this.run(input, options).output;
  }

  /** A run of this graph out of a store, as it stands; `resume()` goes on with it. */
  open({ meta, store, log }: FoundRun, options: RunOptions = {}): GraphRun {
    assertAliases(this.ir, options.models);
    // Each alias goes on with the model it began with, unless this call says otherwise. To read a run takes none.
    const chosen = { ...options, models: modelsToGoOnWith(meta, options) };
    let resolved: RunModels | undefined;
    const models = () => {
      resolved ??= this.#models(chosen, meta);
      return resolved;
    };
    const scope = layeredScope(this.#origin.scope, options.scope);
    const place = placeIn(store, this.#session.owner);
    const openLog = () => place.open(meta.runId);
    const interceptors = this.#interceptorsOf(options);
    const assertReady = ({ isFork } = { isFork: false }) => {
      models();
      if (options.intercept === undefined) assertInterceptorsHere(meta, interceptors);
      assertToolsHere(meta, () => assertAllTools(this.ir, (file) => this.#scopeIn(scope, file)));
      if (isFork) return;
      const { updatedAt } = store.find(meta.runId);
      assertThreadIsMine(this.#program, meta, { place: place.kept, updatedAt });
    };
    const made = { models, scope, place, openLog, options, interceptors };
    const parts = { ...this.#parts(meta, made), assertReady };
    const run = new GraphRun(parts, pastIn(log, this.#program, storedPast(store, meta)));
    run.follow();
    setBreakpoints(run, options);
    return run;
  }

  /** The prompt that the model of a node would get at the start of a run with this input. */
  prompt(name: N, input: I): string {
    const places = this.#skillPlaces(this.ir);
    return promptOf(this.#program, this.#origin.scope, { name, input, places });
  }

  #interceptorsOf({ intercept = [] }: Pick<RunOptions, "intercept">): readonly Interceptor[] {
    return allInterceptors(this.#session.interceptors.all, this.#interceptors.all, intercept);
  }

  /** The scope of the graphs of a file; without a file, of this one. */
  #scopeIn(scope: Scope, file: string | undefined): Scope {
    const { others } = this.#origin;
    if (file === undefined || file === this.ir.source?.file) return scope;
    return scopeOfFile(scope, file, others?.(file));
  }

  /** The folder of the program. */
  get #folder(): string | undefined {
    const { file, folder } = this.#origin;
    return file === undefined ? folder : dirname(file);
  }

  /** The models of a run; of a stored one they go on with its cassettes. */
  #models({ models, prices, record: named }: RunOptions, stored?: RunMeta): RunModels {
    const { env, cliModels, prices: workspace } = this.#session;
    const from = this.#folder;
    const record = named ?? stored?.record;
    return runModels(this.ir, {
      env,
      prices: { run: prices, workspace },
      ...(from === undefined ? {} : { folder: from }),
      ...(record === undefined ? {} : { record }),
      ...(stored === undefined ? {} : { cassettes: new RunCassettes(stored.createdAt) }),
      ...(cliModels === undefined ? {} : { cli: cliModels }),
      ...(models === undefined ? {} : { run: models }),
    });
  }

  /** The dependencies with which the run continues with another graph, whose TypeScript is then the run's. */
  #refitted(
    meta: RunMeta,
    with_: PartsOf,
    { records, change }: Parameters<typeof fittedGraph>[1],
  ): RunParts {
    const ir = fittedGraph(meta, { records, change });
    const { graph } = change;
    const origin = graph instanceof Graph ? graph.#origin : this.#origin;
    const next = new Graph(ir, this.#session, origin);
    const { options } = with_;
    const models = modelsToGoOnWith(meta, options);
    const { prices } = options;
    const scope = layeredScope(origin.scope, options.scope);
    const parts = next.#parts(meta, {
      ...with_,
      models: () => next.#models({ models, ...(prices === undefined ? {} : { prices }) }, meta),
      scope,
    });
    const assertReady = () => assertAllTools(ir, (file) => next.#scopeIn(scope, file));
    return { ...parts, assertReady };
  }

  /** A new run out of the first records of another one. */
  #branch(
    meta: RunMeta,
    of: PartsOf & { readonly from: ForkedFrom; readonly records: readonly LogRecord[] },
  ): GraphRun {
    const { place, records, from } = of;
    const runId = newRunId();
    const { follows: _, record: __, ...rest } = meta;
    const forked: RunMeta = {
      ...rest,
      runId,
      // A replay does not change what its thread keeps: the thread's own run may be under way, or over.
      ...(holdsThread(this.#program)
        ? { threadId: `${meta.threadId}~${runId.slice(-6)}`, holdsThread: true }
        : {}),
      // Its log may end before the one where this program came in.
      ir: this.ir,
      graphHash: this.ir.hash,
      createdAt: systemClock.now(),
      forkedFrom: from,
    };
    const program = this.#program;
    const snapshot = foldLog(program, records);
    const { usage, steps } = snapshot;
    const kept = threadWrites(program, forked, snapshot);
    place.restore({ meta: forked, records, summary: { status: "paused", steps, usage, kept } });
    const openLog = () => place.open(runId);
    return new GraphRun(this.#parts(forked, { ...of, openLog }), { records });
  }

  #stored(place: RunPlace, runId: string): FollowedLog | undefined {
    const stored = place.stored(runId);
    if (stored?.notes === undefined) return stored;
    const { redactor } = this.#session;
    const notes = redactedNotes(stored.notes, (text) => redactor.redactText(text));
    return { ...stored, notes };
  }

  /** Skills of a graph of another file are looked for from that file. */
  #skillPlaces({ source }: Pick<Ir, "source">): SkillPlaces {
    const isOwn = source === undefined || source.file === this.ir.source?.file;
    const folder = (isOwn ? this.#folder : dirname(source.file)) ?? ".";
    return { folder, home: this.#session.env.HOME };
  }

  /** The hashes of functions and skills. */
  #codeOf(scope: Scope): FunctionCode {
    const own = this.ir.source?.file;
    const graphs = [this.ir, ...(this.ir.graphs ?? [])];
    const skills = graphs.flatMap((graph) => {
      const file = graph.source?.file ?? own;
      const hashes = skillHashes(graph, this.#skillPlaces(graph));
      return Object.entries(hashes).map(([name, hash]) => [codeName(name, { file, own }), hash]);
    });
    return {
      ...codeOf(this.ir, (file) => this.#scopeIn(scope, file)),
      ...Object.fromEntries(skills),
    };
  }

  #parts(meta: RunMeta, with_: PartsOf): RunParts {
    const { owner, redactor, limiter, recorded, started, askTraces, env } = this.#session;
    const { models, place, scope, openLog, options, interceptors } = with_;
    const sessions = new OpenSessions();
    const servers = serversOf(meta, { place, env, folder: this.#folder, ir: this.ir });
    const open = new OpenResources();
    const stored = this.#stored(place, meta.runId);
    const { artifacts, cache, snapshots } = place;
    const past = place.past?.(meta);
    let self: PerformedRun | undefined;
    const scopeIn = (file?: string) => this.#scopeIn(scope, file);
    const around = () => ({
      file: this.ir.source?.file,
      models: models().ids,
      code: { ...this.#codeOf(scope), ...interceptorCode(interceptors, scope) },
    });
    const recording = recordingOf(meta, { place, around, known: with_.recorded });
    return {
      bound: (run) => {
        self = run;
      },
      program: this.#program,
      meta,
      clock: systemClock,
      owner: owner.id,
      openLog,
      ...(stored === undefined ? {} : { stored }),
      ...(artifacts === undefined ? {} : { artifacts, keep: keeping(artifacts, redactor) }),
      ...(snapshots === undefined ? {} : { snapshots }),
      ...(past === undefined ? {} : { past }),
      earlier: () => place.earlier(meta),
      started,
      recorded: sessions.tellingSteers(recorded),
      answerers: [
        ...(recording === undefined ? [] : [recordedAnswers(recording.recorded, meta)]),
        threadAnswers(meta, place),
        policyJudge(() => scope),
        createConsentJudge({ model: (name) => models().named(name), limiter }),
        ...answersIn(options),
      ],
      use: (change) =>
        readUse(change, {
          scope: scopeIn(this.ir.source?.file),
          take: (choice) => models().take(choice),
          ir: this.ir,
        }),
      code: () => ({ ...codeHashes(this.ir, scope), ...interceptorCode(interceptors, scope) }),
      livePages$: open.livePages$,
      dispose: async (isOver) =>
        (await Promise.all([sessions.close(), servers.close(), open.close(isOver)])).flat(),
      refit: (records, change) => this.#refitted(meta, with_, { records, change }),
      fork: (from, records) => this.#branch(meta, { ...with_, from, records }),
      engine: (log) => {
        const serving = recording?.serving();
        const interceptorHashes = interceptorCode(interceptors, scope);
        const performers = createPerformers({
          ...(interceptors.length === 0 ? {} : { interceptorCode: interceptorHashes }),
          models,
          scope: scopeIn,
          ...(artifacts === undefined ? {} : { artifacts }),
          sessions,
          servers,
          skillPlaces: (ir) => this.#skillPlaces(ir),
          open,
          redactor,
          limiter,
          env: this.#session.env,
          run: () => self,
          memories: memoriesFor(meta, {
            memories: place.memories,
            now: () => systemClock.now(),
            stored: () => log.flush(),
          }),
          traces: (question) => askTraces({ runId: meta.runId, ...question }),
        });
        const isIntercepted = interceptors.length > 0 || hasInterceptors(meta.code);
        const call = isIntercepted
          ? callingInterceptors(
              interceptors,
              { run: meta.runId, graph: this.ir.name },
              performers.call,
            )
          : performers.call;
        return {
          ...performers,
          ...(isIntercepted && call !== undefined ? { call, interceptors } : {}),
          ...(serving === undefined ? {} : { serving }),
          ...(serving === undefined || call === undefined ? {} : { call: serving.calling(call) }),
          driver: (host) => createRxDriver(host, systemClock),
          earlier: () => place.earlier(meta),
          ...(cache === undefined ? {} : { cache }),
          redact: (record) => redactor.redactRecord(record),
        };
      },
    };
  }
}
