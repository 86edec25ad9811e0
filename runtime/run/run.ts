/** A run as people hold it: its state, its steps, its end, and the verbs that act on it. */
import type { Observable } from "rxjs";
import type { Ir, Plan } from "../../dsl/index.ts";
import type { Artifact } from "../artifact.ts";
import type { Envelope } from "../envelope.ts";
import type { RunEvent } from "../events.ts";
import type { Failure } from "../failure.ts";
import type { Answer, Interrupt } from "../interrupt.ts";
import type { LogRecord } from "../records.ts";
import { type Replay, replayLog } from "../replay/replay.ts";
import type { RunStatus } from "../run-status.ts";
import type { Completion } from "../scheduler/completion.ts";
import { openInterrupt, openInterrupts } from "../scheduler/interrupts.ts";
import { locate, placeOf } from "../scheduler/locate.ts";
import type { Snapshot } from "../scheduler/snapshot.ts";
import { innermost } from "../sub-record.ts";
import type { Usage } from "../usage.ts";
import { artifactsIn, readArtifact } from "./artifacts-in.ts";
import { type Breakpoint, Breakpoints, type Stop } from "./breakpoints.ts";
import { type CalledRun, labelled } from "./called-runs.ts";
import { Closing } from "./closing.ts";
import {
  type ContextParts,
  type RunAgent,
  type RunContext,
  runAgent,
  runContext,
} from "./contexts.ts";
import { Desk, type Said } from "./desk.ts";
import { type Edit, readEdit } from "./edit.ts";
import { Elsewhere } from "./elsewhere.ts";
import { Engine } from "./engine.ts";
import type { PauseOptions, Run } from "./handle.ts";
import { assertHears, nobodyHears } from "./hears.ts";
import type { Goal } from "./hold.ts";
import {
  interruptsOf,
  misfitOf,
  nobodyAnswers,
  nothingAsked,
  toInterrupt,
  unfitting,
} from "./interrupts.ts";
import { type EffectLeftBehind, leftBehind } from "./log-path.ts";
import { messagesIn } from "./messages-in.ts";
import { type ModifyOptions, readModify } from "./modify.ts";
import { Moves } from "./moves.ts";
import {
  assertMoves,
  drivenElsewhere,
  endError,
  lostProcess,
  missedStep,
  noSuchStep,
  nothingStored,
  nothingToEdit,
  nothingToResume,
} from "./run-errors.ts";
import type { RunParts } from "./run-parts.ts";
import { isSameText, lastProgram } from "./same-text.ts";
import { isOver, Standstill, stopAt, stopOf } from "./standstill.ts";
import { stateOf } from "./state-of.ts";
import type { RunStep } from "./step.ts";
import { unwatched } from "./stream.ts";
import type { StreamMode, Streams } from "./stream-types.ts";
import type { Asked } from "./taken.ts";
import { Told } from "./told.ts";
import { assertUsable, plainUse, type UseOptions } from "./use.ts";

export class GraphRun implements Run {
  readonly #parts: RunParts;
  readonly #told: Told;
  readonly #breakpoints: Breakpoints;
  readonly #moves = new Moves();
  readonly #elsewhere: Elsewhere;
  readonly #unended: string[] = [];
  #outcome = unwatched<Record<string, unknown>>();
  readonly #standstill = new Standstill();
  readonly #desk: Desk;
  readonly #closing = new Closing();
  #engine: Engine | undefined;
  #isGivenUp = false;
  /** Said, and not taken yet: until then nobody can tell whether the run still waits. */
  #answersOnTheWay = 0;

  /** `past` is the log of a run that goes on. */
  constructor(parts: RunParts, past: readonly LogRecord[] = []) {
    const { meta, program } = parts;
    this.#parts = parts;
    this.#told = new Told(program, meta);
    this.#breakpoints = new Breakpoints(meta.ir);
    this.#elsewhere = this.#newElsewhere();
    this.#desk = new Desk({
      runId: meta.runId,
      answerers: parts.answerers ?? [],
      say: async ({ id }, said) => void (await this.#say(id, said)),
      left: () => this.#waitForPeople(),
    });
    this.#told.fold(past);
    // Nobody here drives it: it stands still until it is resumed.
    if (past.length > 0) this.#standstill.reached();
    if (isOver(this.#told.snapshot)) this.#decide(this.#told.snapshot);
  }

  get output(): Promise<Record<string, unknown>> {
    this.#elsewhere.expectEnd();
    if (this.#engine === undefined && !this.#elsewhere.isWatching) this.#waitForPeople();
    return this.#outcome.promise;
  }

  get id(): string {
    return this.#parts.meta.runId;
  }
  get thread(): string {
    return this.#parts.meta.threadId;
  }
  get graph(): string {
    return this.#parts.meta.graph;
  }
  get graphHash(): string {
    return this.#parts.meta.graphHash;
  }
  get ir(): Ir {
    return this.#parts.program.ir;
  }
  get status(): RunStatus {
    return this.#told.snapshot.status;
  }
  get reason(): string | undefined {
    return this.#told.snapshot.reason === "" ? undefined : this.#told.snapshot.reason;
  }
  get isHeld(): boolean {
    return this.#engine !== undefined && this.#told.snapshot.held;
  }
  get state(): Record<string, unknown> {
    return stateOf(this.#parts.program, this.#told.snapshot)();
  }
  get steps(): readonly RunStep[] {
    return this.#told.steps;
  }
  get children(): readonly CalledRun[] {
    return this.#told.called.list();
  }
  child(label: string): CalledRun | undefined {
    return labelled(this.children, label);
  }
  get context(): RunContext {
    return runContext(this.#contextParts());
  }
  agent(id: string): RunAgent {
    return runAgent(this.#contextParts(), id);
  }
  get usage(): Usage {
    return this.#told.snapshot.usage;
  }
  get interrupts(): readonly Interrupt[] {
    return interruptsOf(this.id, this.#parts.program, this.#told.snapshot);
  }
  get failure(): Failure | undefined {
    return this.#told.snapshot.failure;
  }
  get activeMs(): number {
    return this.#told.snapshot.activeMs;
  }
  get unended(): readonly string[] {
    return this.#unended;
  }
  get effectsLeftBehind(): readonly EffectLeftBehind[] {
    return leftBehind(this.#told.records);
  }
  get artifacts(): readonly Artifact[] {
    return artifactsIn(this.#told.records);
  }
  get messages(): readonly Envelope[] {
    return messagesIn(this.#told.records, { runId: this.id, threadId: this.thread });
  }
  /** Whether this process drives it at the moment. */
  get isUnderWay(): boolean {
    return this.#engine !== undefined;
  }
  get #isAtItsEnd(): boolean {
    return this.#engine === undefined && isOver(this.#told.snapshot);
  }
  get events$(): Observable<RunEvent> {
    return this.#told.events$;
  }

  /** Starts a new run; with the goal `begin` it is held before its first step. */
  begin(
    input: Readonly<Record<string, unknown>>,
    goal: Goal = "end",
    kept?: Readonly<Record<string, unknown>>,
  ): void {
    const { config } = this.#parts.meta;
    const more = {
      ...(kept === undefined ? {} : { kept }),
      ...(config === undefined ? {} : { config }),
    };
    this.#open().post({ kind: "begin", input, ...more, at: this.#parts.clock.now() }, { goal });
  }

  /** Of a stored run: keeps up with the process that drives it, if one does. */
  follow(): void {
    this.#elsewhere.follow();
  }

  settled(): Promise<void> {
    this.#elsewhere.keepAlive();
    return this.#standstill.promise;
  }

  artifact(id: string): Uint8Array {
    const { artifacts: store } = this.#parts;
    return readArtifact(id, { artifacts: this.artifacts, store, runId: this.id });
  }

  /** The `break` statements of its graph hold it no more. */
  goPastBreaks(): void {
    this.#breakpoints.clear();
  }

  setBreakpoint(breakpoint: Breakpoint): () => void {
    return this.#breakpoints.add(breakpoint);
  }

  step(): Promise<RunStep> {
    return this.#moves.inTurn(async () => {
      assertMoves(this, "step");
      this.#assertAnswered();
      let from = 0;
      const stop = await this.#goUntilStop("step", () => {
        from = this.#told.walked.length;
      });
      const step = this.#told.walked[from];
      if (step === undefined) throw missedStep(this, stop, this.#told.records);
      return step;
    });
  }

  continue(): Promise<Stop> {
    return this.#moves.inTurn(async () => {
      const end = isOver(this.#told.snapshot) ? stopOf(this.#told.snapshot) : undefined;
      return end ?? this.#interruptStop() ?? (await this.#goUntilStop("end", () => {}));
    });
  }

  back(): Promise<void> {
    return this.#moves.inTurn(() => this.#rewind(() => this.#told.steps.length - 1));
  }

  rewind(step: number): Promise<void> {
    return this.#moves.inTurn(() => this.#rewind(() => step));
  }

  async pause({ now = false, reason }: PauseOptions = {}): Promise<void> {
    const engine = this.#engine;
    if (this.#elsewhere.isWatching) throw drivenElsewhere(this);
    if (engine === undefined) return;
    const why = reason === undefined ? {} : { reason };
    const at = this.#parts.clock.now();
    this.#goOn();
    if (now) {
      engine.post({ kind: "control", verb: "pause", at, ...why });
      return await this.settled();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    engine.post({ kind: "control", verb: "hold", at, ...why }, { answer: () => resolve() });
    await promise;
  }

  async answer(id: string, answer: Answer): Promise<void> {
    this.#catchUp();
    this.#assertBegun();
    const interrupt = this.interrupts.find((one) => one.id === id);
    if (interrupt === undefined) throw nothingAsked(this.id, id, this.interrupts);
    const misfit = misfitOf(interrupt, answer);
    if (misfit !== undefined) throw unfitting(this.id, interrupt, misfit);
    const isHeard = await this.#say(id, { answer, from: "person" });
    if (!isHeard) throw nothingAsked(this.id, id, this.interrupts);
  }

  /** Whether the run had waited for it. */
  async #say(id: string, said: Said): Promise<boolean> {
    const open = openInterrupts(this.#told.snapshot).find(
      ({ question }) => question.interrupt === id,
    );
    if (open === undefined) return false;
    const { question, home } = open;
    const where = { id: question.id, ...(home === undefined ? {} : { sub: home }) };
    const engine = this.#engine ?? this.#reopenToAnswer();
    // Whoever was told that nobody is there can wait for it again.
    if (this.status === "waiting") this.#goOn();
    const { answer, from, by, usage } = said;
    const at = this.#parts.clock.now();
    this.#answersOnTheWay += 1;
    const asked = await new Promise<Asked>((resolve) => {
      const why = {
        ...(by === undefined ? {} : { by }),
        ...(usage === undefined ? {} : { usage }),
      };
      engine.post(
        { kind: "answer", ...where, interrupt: id, answer, from, at, ...why },
        { answer: resolve },
      );
    });
    this.#answersOnTheWay -= 1;
    if (this.status === "waiting") this.#waitForPeople();
    return asked.taken;
  }

  /** One that is paused keeps the answer; one whose process left it waiting goes on with it. */
  #reopenToAnswer(): Engine {
    const { clock, owner, assertReady } = this.#parts;
    const isPaused = this.status === "paused";
    if (!isPaused) assertReady?.();
    const engine = this.#reopen();
    if (!isPaused) engine.post({ kind: "control", verb: "resume", owner, at: clock.now() });
    return engine;
  }

  #goOn(): void {
    if (!this.#isGivenUp) return;
    this.#isGivenUp = false;
    this.#outcome = unwatched();
    this.#standstill.renew();
  }

  /** Gives up a run that waits for an answer, as it stands; any other is paused. */
  async leave(reason: string): Promise<void> {
    if (this.status === "waiting" && this.#engine !== undefined) await this.#engine.rest();
    else await this.pause({ now: true, reason });
  }

  async abort(reason?: string): Promise<void> {
    if (this.#isAtItsEnd && !this.#elsewhere.isDriven()) return;
    this.#catchUp();
    if (this.#isAtItsEnd) return;
    this.#assertBegun();
    const engine = this.#engine ?? this.#reopen();
    const at = this.#parts.clock.now();
    const why = reason === undefined ? {} : { reason };
    this.#goOn();
    engine.post({ kind: "control", verb: "abort", at, ...why });
    await this.settled();
  }

  async steer(text: string, { to }: { readonly to?: string } = {}): Promise<void> {
    this.#catchUp();
    this.#assertBegun();
    if (this.status === "succeeded") throw nobodyHears(this);
    if (this.#elsewhere.isWatching) throw drivenElsewhere(this, "steer");
    assertHears(this.ir, to);
    const stood = this.#engine === undefined;
    const engine = this.#engine ?? this.#reopen();
    const at = this.#parts.clock.now();
    const whom = to === undefined ? {} : { to };
    const { promise, resolve } = Promise.withResolvers<Asked>();
    engine.post({ kind: "steer", text, ...whom, at }, { answer: resolve });
    const isLate = isRefused(await promise);
    if (stood || isLate) await this.settled();
    // It was coming to rest: what is said is never dropped.
    if (isLate) await this.steer(text, whom);
  }

  async edit(edit: Edit<Record<string, unknown>>, reason?: string): Promise<void> {
    this.#catchUp();
    this.#assertBegun();
    if (this.status === "succeeded") throw nothingToEdit(this);
    if (this.#elsewhere.isWatching) throw drivenElsewhere(this, "edit");
    const values = readEdit(this.ir, this.state, edit);
    const stood = this.#engine === undefined;
    const engine = this.#engine ?? this.#reopen();
    const at = this.#parts.clock.now();
    const why = reason === undefined ? {} : { reason };
    const { promise, resolve } = Promise.withResolvers<Asked>();
    engine.post({ kind: "edit", values, ...why, at }, { answer: resolve });
    const isLate = isRefused(await promise);
    if (stood || isLate) await this.settled();
    // It was coming to rest: it is edited there.
    if (isLate) await this.edit(edit, reason);
  }

  async use(node: string, change: UseOptions): Promise<void> {
    this.#catchUp();
    this.#assertBegun();
    assertUsable(this, node);
    if (this.#elsewhere.isWatching) throw drivenElsewhere(this, "use");
    const use = this.#parts.use?.(change) ?? plainUse(change);
    const stood = this.#engine === undefined;
    const engine = this.#engine ?? this.#reopen();
    const { promise, resolve } = Promise.withResolvers<Asked>();
    engine.post({ kind: "use", node, use, at: this.#parts.clock.now() }, { answer: resolve });
    const isLate = isRefused(await promise);
    if (stood || isLate) await this.settled();
    if (isLate) await this.use(node, change);
  }

  async dispose(): Promise<void> {
    if (this.#engine !== undefined) await this.pause({ now: true, reason: "disposed" });
    await this.#closing.end(this, this.#parts.dispose);
  }

  async modify(plan: Plan | string, options: ModifyOptions = {}): Promise<void> {
    this.#catchUp();
    this.#assertBegun();
    if (this.#elsewhere.isWatching) throw drivenElsewhere(this, "modify");
    const asked = readModify(this.#parts.program, this.#told.snapshot, { plan, ...options });
    const stood = this.#engine === undefined;
    const engine = this.#engine ?? this.#reopen();
    const at = this.#parts.clock.now();
    const { promise, resolve } = Promise.withResolvers<Asked>();
    engine.post({ kind: "modify", ...asked, at }, { answer: resolve });
    const isLate = isRefused(await promise);
    if (stood || isLate) await this.settled();
    // It was coming to rest, or the plan to its end: whichever it was is said there.
    if (isLate) await this.modify(plan, options);
  }

  async resume(): Promise<void> {
    this.#catchUp();
    if (this.#engine === undefined && this.status === "succeeded") throw nothingToResume(this);
    this.#go("end", () => {});
  }

  replay(options: { readonly ir?: Ir } = {}): Replay {
    this.#catchUp();
    return replayLog(this.#told.records, { recorded: this.#parts.meta.ir, ...options });
  }

  stream<M extends StreamMode>(mode: M): AsyncIterable<Streams[M]> {
    return this.#told.stream(mode, this.settled());
  }

  [Symbol.asyncIterator](): AsyncIterator<RunStep> {
    return this.#told.iterate(this.settled())[Symbol.asyncIterator]();
  }

  #contextParts(): ContextParts {
    const { program, meta } = this.#parts;
    const { snapshot, records } = this.#told;
    return { program, meta, snapshot, records };
  }

  #goUntilStop(goal: Goal, begun: () => void): Promise<Stop> {
    return this.#moves.until((told) =>
      this.#go(goal, () => {
        begun();
        told();
      }),
    );
  }

  /** Lets a held run go, drives one that stood still, and changes how far one goes that is under way. */
  #go(goal: Goal, answer: () => void): void {
    this.#catchUp();
    const { clock, owner, assertReady } = this.#parts;
    this.#assertBegun();
    assertReady?.();
    const at = clock.now();
    const [engine, verb] =
      this.#engine === undefined
        ? ([this.#reopen(), { verb: "resume", owner, ...this.#otherProgram() }] as const)
        : ([this.#engine, { verb: "release" }] as const);
    engine.post(
      { kind: "control", ...verb, at },
      {
        goal,
        answer: (asked) => (isRefused(asked) ? this.#goOnceSettled(goal, answer) : answer()),
      },
    );
  }

  /** The program, where it is another than the one that the log has last. */
  #otherProgram(): { readonly ir?: Ir } {
    const { meta, program } = this.#parts;
    const last = lastProgram(this.#told.records) ?? meta.ir;
    return isSameText(last, program.ir) ? {} : { ir: program.ir };
  }

  /** The run was coming to rest when it was told to go: it goes from there. */
  #goOnceSettled(goal: Goal, answer: () => void): void {
    const go = () => {
      if (this.status !== "succeeded") this.#go(goal, answer);
    };
    this.settled()
      .then(go)
      .catch((error: unknown) => this.#moves.broken(error));
  }

  async #rewind(stepOf: () => number): Promise<void> {
    this.#catchUp();
    this.#assertBegun();
    // What is under way must not commit while we count.
    await this.pause({ reason: "rewind" });
    const step = stepOf();
    const to = step === 0 ? this.#told.records[0]?.seq : this.#told.steps[step - 1]?.seq;
    if (to === undefined) throw noSuchStep(this, step);
    const engine = this.#engine ?? this.#reopen();
    const at = this.#parts.clock.now();
    const completion: Completion = { kind: "control", verb: "rewind", step, to, at };
    let isLate = false;
    await this.#moves.until((begun) => {
      const answer = (asked: Asked) => {
        isLate = isRefused(asked);
        if (!isLate) begun();
      };
      engine.post(completion, { answer });
    });
    // It was coming to rest: what is counted from now on is there to stay.
    if (isLate) await this.#rewind(stepOf);
  }

  /** A run without a record has not even its input: its process died in the moment of its start. */
  #assertBegun(): void {
    if (this.#told.records.length === 0 && this.#engine === undefined) throw nothingStored(this);
  }

  /** Drives a run that stood still. */
  #reopen(): Engine {
    return this.#open(() => {
      // Between the last look and the lease, its process may have written more.
      this.#catchUp();
      this.#elsewhere.stop();
      this.#standstill.renew();
      this.#renew();
    });
  }

  /** What was told of an end is not so any more. */
  #renew(): void {
    if (isOver(this.#told.snapshot)) this.#told.goOn();
    else if (!this.#isGivenUp) return;
    this.#isGivenUp = false;
    this.#outcome = unwatched();
  }

  /** Takes what others wrote to the log since. */
  #catchUp(): void {
    const { stored } = this.#parts;
    if (this.#engine !== undefined || stored === undefined) return;
    const news = stored.readAfter(this.#told.lastSeq);
    if (news.length === 0) return;
    this.#renew();
    this.#told.fold(news);
    // Whoever was told of them may have gone on with it.
    if (!this.#isAtItsEnd) return;
    this.#decide(this.#told.snapshot);
    this.#standstill.reached();
  }

  #newElsewhere(): Elsewhere {
    const { clock, stored } = this.#parts;
    return new Elsewhere({
      clock,
      stored,
      snapshot: () => (this.#engine === undefined ? this.#told.snapshot : undefined),
      catchUp: () => this.#catchUp(),
      begun: () => {
        this.#standstill.renew();
        this.#renew();
      },
      rested: () => this.#standstill.reached(),
      lost: () => {
        this.#isGivenUp = true;
        this.#outcome.reject(lostProcess(this));
      },
      failed: (error) => this.#break(error),
    });
  }

  /** `renew` makes it a run under way for whoever is told that it starts. */
  #open(renew: () => void = () => {}): Engine {
    const { program, meta, clock, started } = this.#parts;
    const log = this.#parts.openLog();
    renew();
    started?.(this);
    this.#engine = new Engine({
      program,
      meta,
      clock,
      log,
      ...this.#parts.engine(log),
      ...(this.#told.records.length === 0 ? {} : { past: this.#told.snapshot }),
      breakpoints: this.#breakpoints,
      records: () => this.#told.records,
      listener: {
        recorded: (record, snapshot) => this.#take(record, snapshot),
        delta: (nodeRun, text) => this.#told.delta({ nodeRun, text, at: clock.now() }),
        waiting: () => this.#waitForPeople(),
        held: (hold) => this.#moves.held(stopAt(hold, { id: this.id, steps: this.#told.walked })),
        settled: (snapshot) => this.#settle(snapshot),
        broken: (error) => this.#break(error),
        unended: (label) => this.#unended.push(label),
      },
    });
    return this.#engine;
  }

  #take(record: LogRecord, snapshot: Snapshot): void {
    this.#told.take(record, snapshot);
    this.#parts.recorded?.(record);
    this.#layBefore(record, snapshot);
  }

  /** Lays a question before those who answer by themselves; also those that were open when a run goes on. */
  #layBefore(record: LogRecord, snapshot: Snapshot): void {
    const made = innermost(record);
    if (made.kind === "interrupt") {
      const open = openInterrupt(snapshot, made);
      const located = locate(this.#parts.program, snapshot, made.id);
      if (open !== undefined) {
        this.#desk.ask(toInterrupt(this.id, open, located && placeOf(located)));
      }
    } else if (record.kind === "control" && record.verb === "resume") {
      for (const interrupt of this.interrupts) this.#desk.ask(interrupt);
    }
  }

  /** Nothing goes on before somebody answers: if nobody here does, whoever waits for its end is told so. */
  #waitForPeople(): void {
    // In a turn of its own: who was told of the question may just be answering it.
    setImmediate(() => {
      if (this.status !== "waiting" || this.#desk.isBusy || this.#answersOnTheWay > 0) return;
      if (!this.#isGivenUp) this.#giveUpWaiting();
      const stop = this.#interruptStop();
      if (stop !== undefined) this.#moves.held(stop);
    });
  }

  #giveUpWaiting(): void {
    const { interrupts } = this;
    this.#isGivenUp = true;
    this.#outcome.reject(nobodyAnswers(this.id, interrupts, this.#desk.causes(interrupts)));
    this.#standstill.reached();
  }

  #interruptStop(): Stop | undefined {
    const [first] = this.status === "waiting" && this.#isGivenUp ? this.interrupts : [];
    return first && { kind: "interrupt", id: first.id, node: first.node };
  }

  #assertAnswered(): void {
    if (this.#interruptStop() !== undefined) throw nobodyAnswers(this.id, this.interrupts, []);
  }

  #settle(snapshot: Snapshot): void {
    this.#told.snapshot = snapshot;
    this.#engine = undefined;
    if (isOver(snapshot)) {
      this.#closing.begin(this.#parts.dispose);
      this.#decide(snapshot);
    }
    this.#standstill.reached();
    this.#moves.settled(stopOf(snapshot));
  }

  #decide(snapshot: Snapshot): void {
    this.#told.end();
    if (snapshot.status === "succeeded") this.#outcome.resolve(snapshot.output ?? {});
    else this.#outcome.reject(endError(this, this.#told.records));
  }

  #break(error: unknown): void {
    this.#engine = undefined;
    this.#isGivenUp = true;
    this.#outcome.reject(error);
    this.#standstill.failed(error);
    this.#moves.broken(error);
  }
}

function isRefused(asked: Asked): boolean {
  return !asked.taken && asked.isRefused === true;
}
