/** Implements the handle of a run: adds to its readings the methods that start, hold, change, fork and end it. */

import type { Ir, Plan } from "../../dsl/index.ts";
import { type AgentSession, readSession } from "../agent-sessions/agent-session.ts";
import { heldBranches, holdBranch, openBranches } from "../breakpoints/branch-holds.ts";
import type { Breakpoint, Stop } from "../breakpoints/breakpoint-types.ts";
import type { StopWatcher } from "../breakpoints/stop-watchers.ts";
import type { BreakpointWarning, WarningWatcher } from "../breakpoints/unanswered.ts";
import { RunDiff } from "../debug/compare/run-diff.ts";
import { Timeline } from "../debug/timeline.ts";
import { toTest } from "../debug/to-test.ts";
import { Drive } from "../engine/drive.ts";
import type { Goal } from "../engine/hold.ts";
import type { StreamMode, Streams } from "../event-stream/stream-types.ts";
import type { RunError } from "../failure.ts";
import type { EffectLeftBehind } from "../history/log-path.ts";
import type { Past } from "../history/past.ts";
import type { RunHistory } from "../history/run-history.ts";
import type { RunStep } from "../history/step.ts";
import type { Answer } from "../interrupt.ts";
import { nothingAsked } from "../questions/interrupts.ts";
import { Questions } from "../questions/questions.ts";
import type { LogRecord } from "../records/records.ts";
import { takeNote } from "../remote/take-note.ts";
import { type Replay, replayLog } from "../replay/replay.ts";
import type { BegunRun } from "../scheduler/control.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import type { Note } from "../store/run-store.ts";
import type { BranchStart, DrivenRun } from "./driven-run.ts";
import type { Edit, EditOptions } from "./edit.ts";
import { branched, effectsBehind, goBranch, readEdits, recordOf } from "./fork.ts";
import type {
  AnswerOptions,
  HeldBranch,
  PauseOptions,
  ResumeOptions,
  SteerOptions,
  ToTestOptions,
  UseOptions,
} from "./handle.ts";
import type { ModifyOptions } from "./modify.ts";
import { ReadableRun, type RunCore } from "./readable-run.ts";
import { RunCommands } from "./run-commands.ts";
import { nothingToResume } from "./run-errors.ts";
import type { RunParts } from "./run-parts.ts";
import { Stepping } from "./stepping.ts";

export class GraphRun extends ReadableRun implements DrivenRun {
  #parts: RunParts;
  #drive: Drive;
  #questions: Questions;
  #walk: Stepping;

  /** `past` is the log of a run that goes on. */
  constructor(parts: RunParts, past: Past = { records: [] }) {
    super();
    this.#parts = parts;
    [this.#drive, this.#questions, this.#walk] = this.#assembled(parts, past);
    this.#drive.decide();
  }

  #assembled(parts: RunParts, past: Past): [Drive, Questions, Stepping] {
    parts.bound?.(this);
    const waiting = () => this.#questions.waitForPeople();
    const recorded = (record: LogRecord, snapshot: Snapshot) =>
      this.#questions.layBefore(record, snapshot);
    const noted = (note: Note) =>
      takeNote({ run: this, drive: this.#drive, questions: this.#questions }, note);
    const drive = new Drive({ run: this, parts, waiting, recorded, noted }, past);
    const questions = new Questions(parts, drive);
    return [drive, questions, new Stepping({ run: this, parts, drive, questions })];
  }

  get output(): Promise<Record<string, unknown>> {
    const { remoteOwner, engine, promises } = this.#drive;
    remoteOwner.expectEnd();
    if (engine === undefined && !remoteOwner.isWatching) this.#questions.waitForPeople();
    return promises.output;
  }

  protected override get core(): RunCore {
    return { parts: this.#parts, drive: this.#drive, questions: this.#questions };
  }

  get #sayings(): RunCommands {
    return new RunCommands({ run: this, parts: this.#parts, drive: this.#drive });
  }
  get #history(): RunHistory {
    return this.#drive.history;
  }

  /** Starts a new run; with the goal `begin` it is held before its first step. */
  begin(
    input: Readonly<Record<string, unknown>>,
    goal: Goal = "end",
    more: Partial<Pick<BegunRun, "kept" | "interception">> = {},
  ): void {
    const { config } = this.#parts.meta;
    const { kept, interception } = more;
    const also = {
      ...(interception === undefined ? {} : { interception }),
      ...(kept === undefined ? {} : { kept }),
      ...(config === undefined ? {} : { config }),
    };
    this.#drive
      .open()
      .post({ kind: "begin", input, ...also, at: this.#parts.clock.now() }, { goal });
  }

  /** Follows the process that drives a stored run, if there is one. */
  follow(): void {
    this.#drive.remoteOwner.follow();
  }

  settled(): Promise<void> {
    return this.#drive.settled();
  }

  /** Removes the breakpoints that come from `break` statements. */
  goPastBreaks(): void {
    this.#drive.breakpoints.clear();
  }

  setBreakpoint(breakpoint: Breakpoint): () => void {
    return this.#drive.breakpoints.add(breakpoint);
  }

  breakpointsBefore(node: string): readonly (() => void)[] {
    return this.#drive.breakpoints.removersBefore(node);
  }

  /** The warnings of breakpoints whose condition could not be evaluated, one a breakpoint. */
  get breakpointWarnings(): readonly BreakpointWarning[] {
    return this.#drive.breakpoints.warnings.all;
  }

  /** Tells of each as it comes. The result ends it. */
  watchWarnings(watcher: WarningWatcher): () => void {
    return this.#drive.breakpoints.warnings.watch(watcher);
  }

  /** Tells why it stands whenever it does, whoever moved it, and by nothing when it goes on. The result ends it. */
  watchStops(watcher: StopWatcher): () => void {
    return this.#drive.moves.watchers.add(watcher);
  }

  /** The node runs that are held by themselves. */
  get heldBranches(): readonly HeldBranch[] {
    return heldBranches({ run: this, drive: this.#drive, program: this.#parts.program });
  }

  /** The node runs that have not ended, held or not. */
  get openBranches(): readonly HeldBranch[] {
    return openBranches({ run: this, drive: this.#drive, program: this.#parts.program });
  }

  async holdBranch(nodeRun: string, verb: "hold" | "release" = "hold"): Promise<void> {
    const { program } = this.#parts;
    const holding = { run: this, drive: this.#drive, program, now: () => this.#now() };
    await holdBranch(holding, { nodeRun, verb });
  }

  releaseBranch(nodeRun: string): Promise<void> {
    return this.holdBranch(nodeRun, "release");
  }

  step(): Promise<RunStep> {
    return this.#walk.step();
  }

  continue(goal?: Goal): Promise<Stop> {
    return this.#walk.onward(goal);
  }

  back(): Promise<void> {
    return this.#walk.backTo(() => this.stepCount - 1);
  }

  rewind(step: number): Promise<void> {
    return this.#walk.backTo(() => step);
  }

  async pause({ now = false, reason }: PauseOptions = {}): Promise<void> {
    const { engine, isElsewhere, outbox } = this.#drive;
    const why = reason === undefined ? {} : { reason };
    if (isElsewhere) {
      outbox.leave({ verb: "pause", now, ...why });
      if ((await outbox.delivered()) && now) await this.#drive.untilRest();
      return;
    }
    if (engine === undefined) return;
    const at = this.#parts.clock.now();
    this.#drive.promises.waitAgain();
    if (now) {
      engine.post({ kind: "control", verb: "pause", at, ...why });
      return await this.settled();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    engine.post({ kind: "control", verb: "hold", at, ...why }, { answer: () => resolve() });
    await promise;
  }

  async answer(id: string, answer: Answer, options?: AnswerOptions): Promise<void> {
    this.#catchUp();
    await this.#questions.answer(id, answer, options);
  }

  async answerAll(
    answers: readonly (readonly [id: string, answer: Answer])[],
    options?: AnswerOptions,
  ): Promise<void> {
    this.#catchUp();
    const kept = answers.map(
      ([id, answer]) => [id, this.#questions.withFiles(id, answer)] as const,
    );
    for (const [id, answer] of kept) this.#questions.assertFits(id, answer);
    for (const [id, answer] of kept) await this.answer(id, answer, options);
  }

  /** The error for an answer to a question that is not open. */
  notAsked(id: string): RunError {
    return nothingAsked(this.id, id, this.interrupts);
  }

  delivered(): Promise<boolean> {
    return this.#drive.outbox.delivered();
  }

  /** Gives up a run that waits for an answer, as it stands; any other is paused. */
  async leave(reason: string): Promise<void> {
    const { engine } = this.#drive;
    if (this.status === "waiting" && engine !== undefined) await engine.rest();
    else await this.pause({ now: true, reason });
  }

  async abort(reason?: string): Promise<void> {
    const drive = this.#drive;
    if (drive.isAtItsEnd && !drive.remoteOwner.isDriven()) return;
    drive.catchUp();
    if (drive.isAtItsEnd) return;
    drive.assertBegun();
    const why = reason === undefined ? {} : { reason };
    if (drive.isElsewhere) {
      drive.outbox.leave({ verb: "abort", ...why });
      const isHeard = await drive.outbox.delivered();
      if (isHeard) await drive.untilRest();
      // The process that drove the run ended before it read the note.
      return isHeard ? undefined : await this.abort(reason);
    }
    const engine = drive.engine ?? drive.reopen({ recordsProgram: true });
    drive.promises.waitAgain();
    engine.post({ kind: "control", verb: "abort", at: this.#now(), ...why });
    await this.settled();
  }

  async steer(text: string, options?: SteerOptions): Promise<void> {
    await this.#sayings.steer(text, options);
  }

  async edit(edit: Edit<Record<string, unknown>>, options?: string | EditOptions): Promise<void> {
    await this.#sayings.edit(edit, options);
  }

  async use(node: string, change: UseOptions): Promise<void> {
    await this.#sayings.use(node, change);
  }

  async modify(plan: Plan | string, options?: ModifyOptions): Promise<void> {
    await this.#sayings.modify(plan, options);
  }

  async dispose(): Promise<void> {
    if (this.isUnderWay) await this.pause({ now: true, reason: "disposed" });
    await this.#drive.close();
  }

  async resume({ graph, ...how }: ResumeOptions = {}): Promise<void> {
    this.#drive.catchUp();
    if (!this.isUnderWay && this.status === "succeeded") throw nothingToResume(this);
    if (graph !== undefined) await this.#refit({ graph, ...how });
    this.#walk.go("end");
  }

  /** From here on it is driven with another program; who waits for its output goes on waiting. */
  async #refit(options: Parameters<NonNullable<RunParts["refit"]>>[1]): Promise<void> {
    if (this.isUnderWay) await this.pause({ now: true, reason: "another program" });
    this.#drive.assertHere("resume");
    const { records } = this.#history;
    const parts = this.#parts.refit?.(records, options);
    if (parts === undefined) throw new Error("M9000: this run can't go on with another graph");
    const before = this.#drive;
    await before.close();
    this.#parts = parts;
    [this.#drive, this.#questions, this.#walk] = this.#assembled(parts, { records });
    this.#drive.breakpoints.takeOver(before.breakpoints);
    this.#drive.moves.watchers.takeOver(before.moves.watchers);
    before.promises.follow(this.#drive.promises);
  }

  async retry(nodeRun: string): Promise<void> {
    await this.#walk.retry(nodeRun);
    this.#walk.go("end");
  }

  /** `isHeld`: it is held at that step, for a debugger. */
  fork(
    step: number,
    edits?: Edit<Record<string, unknown>>,
    { isHeld = false }: { readonly isHeld?: boolean } = {},
  ): DrivenRun {
    this.#catchUp();
    this.#parts.assertReady?.({ isFork: true });
    const branching = { run: this, parts: this.#parts, history: this.#history };
    const values = readEdits(branching, step, edits);
    const branch = branched(branching, step);
    branch.goOnFrom({ step, values, isHeld });
    return branch;
  }

  goOnFrom(start: BranchStart): void {
    goBranch({ drive: this.#drive, parts: this.#parts }, start);
  }

  /** The external calls behind a step: a rewind or a fork leaves them as they are. */
  effectsBehind(step: number): readonly EffectLeftBehind[] {
    return effectsBehind(
      this.#history.records,
      recordOf({ run: this, history: this.#history }, step),
    );
  }

  replay(options: { readonly ir?: Ir } = {}): Replay {
    this.#drive.catchUp();
    return replayLog(this.#history.records, { recorded: this.#parts.meta.ir, ...options });
  }

  diff(other: { readonly id: string }): RunDiff {
    return RunDiff.of(this, other instanceof GraphRun ? other : undefined);
  }

  timeline(): Timeline<DrivenRun> {
    return new Timeline(this);
  }

  session(agent: string): AgentSession {
    return readSession(this, agent);
  }

  toTest(options?: ToTestOptions): Promise<string> {
    return toTest(this, options);
  }

  stream<M extends StreamMode>(mode: M): AsyncIterable<Streams[M]> {
    return this.#history.stream(mode, this.settled());
  }

  [Symbol.asyncIterator](): AsyncIterator<RunStep> {
    return this.#history.iterate(this.settled())[Symbol.asyncIterator]();
  }

  #now(): number {
    return this.#parts.clock.now();
  }

  /** Takes what others wrote to the log; of a run that has begun. */
  #catchUp(): void {
    this.#drive.catchUp();
    this.#drive.assertBegun();
  }
}
