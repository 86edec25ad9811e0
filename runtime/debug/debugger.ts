/** One run as a debugger sees it: it is held, looked at, and moved, forth and back. */
import type { Source } from "../../dsl/index.ts";
import { openBranch } from "../breakpoints/branch-holds.ts";
import type { Breakpoint, Stop } from "../breakpoints/breakpoint-types.ts";
import type { StopWatcher } from "../breakpoints/stop-watchers.ts";
import type { BreakpointWarning, WarningWatcher } from "../breakpoints/unanswered.ts";
import type { Goal } from "../engine/hold.ts";
import { RunError } from "../failure.ts";
import type { RunPosition } from "../history/run-position.ts";
import type { Answer } from "../interrupt.ts";
import type { DrivenRun } from "../run/driven-run.ts";
import type { Edit } from "../run/edit.ts";
import type { HeldBranch } from "../run/handle.ts";
import { GraphRun } from "../run/run.ts";
import { type Blame, blame, slice } from "./blame.ts";
import { evaluateIn } from "./evaluate.ts";
import { type DebugFrame, type FrameScope, framesAt } from "./frames.ts";
import { type ScopeName, valuesIn } from "./scopes.ts";

export interface SetBreakpoint {
  readonly id: number;
  readonly breakpoint: Breakpoint;
}

/** The findings for one position of a run. */
interface SeenStops {
  readonly snapshot: RunPosition["snapshot"];
  readonly stop: Stop | undefined;
  readonly scopes: readonly FrameScope[];
}

export class Debugger {
  readonly run: DrivenRun;
  readonly #breakpoints = new Map<number, { readonly breakpoint: Breakpoint; remove(): void }>();
  #nextId = 1;
  #stop: Stop | undefined;
  #seen: SeenStops | undefined;
  readonly #values = new Map<string, Readonly<Record<string, unknown>>>();

  /** Of a run of this process's session, as `graph.debug`, `graph.run` and `runs.open` give it. */
  constructor(run: { readonly id: string }) {
    if (!(run instanceof GraphRun)) {
      throw new RunError("M5455", "this is no run that can be debugged", {
        hint: "`new Debugger(graph.debug({ … }))`, or what `graph.run` or `runs.open` gives",
      });
    }
    this.run = run;
  }

  /** The reason of the last stop, since the run was moved. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  get breakpoints(): readonly SetBreakpoint[] {
    return [...this.#breakpoints].map(([id, { breakpoint }]) => ({ id, breakpoint }));
  }

  /** Sets a breakpoint and gives its number: M5003 for what is not there, M5450 for what can't be read. */
  setBreakpoint(breakpoint: Breakpoint): number {
    const remove = this.run.setBreakpoint(breakpoint);
    const id = this.#nextId;
    this.#nextId += 1;
    this.#breakpoints.set(id, { breakpoint, remove });
    return id;
  }

  /** Tells whether there was one of this number. */
  removeBreakpoint(id: number): boolean {
    this.#breakpoints.get(id)?.remove();
    return this.#breakpoints.delete(id);
  }

  clearBreakpoints(): void {
    for (const id of [...this.#breakpoints.keys()]) this.removeBreakpoint(id);
  }

  /** Of conditions of breakpoints that had no answer and held nobody: M5458, each breakpoint's once. */
  get warnings(): readonly BreakpointWarning[] {
    return this.run.breakpointWarnings;
  }

  /** Tells of each warning as it comes. The result ends it. */
  watchWarnings(watcher: WarningWatcher): () => void {
    return this.run.watchWarnings(watcher);
  }

  /** On to the next breakpoint, question or end. */
  continue(): Promise<Stop> {
    return this.#go("end");
  }

  /** Through one commit, wherever it is made: also in a graph that a node calls. */
  stepIn(): Promise<Stop> {
    return this.#go("step");
  }

  /** Through one commit that is no deeper than where it stands; breakpoints inside of it hold the run. */
  stepOver(): Promise<Stop> {
    return this.#go({ within: this.depth });
  }

  /** Out of the graph that it stands in; from the run's own graph, on to its end. */
  stepOut(): Promise<Stop> {
    return this.depth === 0 ? this.#go("end") : this.#go({ within: this.depth - 1 });
  }

  /** To behind a step of the run's own: forth, or back. M5007 for one that can't be. */
  async runTo(step: number): Promise<Stop> {
    if (step > this.run.stepCount) return await this.#go({ toStep: step });
    await this.rewind(step);
    return { kind: "pause", reason: "rewind" };
  }

  /** One commit of the run's own graph back; M5007 at its start. */
  async stepBack(): Promise<void> {
    await this.run.back();
    this.#stop = undefined;
  }

  async rewind(step: number): Promise<void> {
    await this.run.rewind(step);
    this.#stop = undefined;
  }

  /** Lets it go without waiting for where it comes to, also where it is held while it asks something. */
  async release(): Promise<void> {
    this.#stop = undefined;
    await this.run.resume();
  }

  /** Tells of each stop, whoever moved the run, and by nothing when it goes on. The result ends it. */
  watch(watcher: StopWatcher): () => void {
    return this.run.watchStops((stop) => {
      this.#stop = stop;
      watcher(stop);
    });
  }

  /** Holds a run that is under way, as soon as it is between two records. */
  async pause(): Promise<void> {
    await this.run.pause({ reason: "debug" });
  }

  /** Answers what it waits for. It goes on when it is moved, so that it stops where it is told to. */
  async answer(answers: readonly (readonly [id: string, answer: Answer])[]): Promise<void> {
    await this.pause();
    await this.run.answerAll(answers);
  }

  /** Holds one open node run (`search#2`) by itself, while the others go on. */
  async holdBranch(nodeRun: string): Promise<void> {
    await this.run.holdBranch(nodeRun);
  }

  /** Lets one go that is held by itself; without a name, all of them. */
  async releaseBranch(nodeRun?: string): Promise<void> {
    const held = this.heldBranches.map(({ label }) => label);
    for (const label of nodeRun === undefined ? held : [nodeRun])
      await this.run.releaseBranch(label);
  }

  /** The node runs that are held by themselves. */
  get heldBranches(): readonly HeldBranch[] {
    return this.run.heldBranches;
  }

  /**
   * Through the commits of these node runs (`search#2`), one after the other; all others are held meanwhile. Ends with the
   * stop behind the last, or with one that comes before. M5461 for a node run that is not open when its turn comes.
   */
  async playOrder(nodeRuns: readonly string[]): Promise<Stop> {
    let stop: Stop = this.#stop ?? { kind: "pause", reason: "debug" };
    for (const nodeRun of nodeRuns) {
      const { nodeRunId, label } = openBranch(this.run, nodeRun);
      const held = new Set(this.heldBranches.map((one) => one.nodeRunId));
      for (const other of this.run.openBranches) {
        const isCaller = label.startsWith(`${other.label} › `);
        if (other.nodeRunId === nodeRunId || isCaller || held.has(other.nodeRunId)) continue;
        await this.holdBranch(other.nodeRunId);
      }
      if (held.has(nodeRunId)) await this.releaseBranch(nodeRunId);
      stop = await this.#go("step");
      const holding = new Set(this.heldBranches.map((one) => one.nodeRunId));
      if (this.run.status === "paused") await this.releaseBranch();
      // Nothing else could go on.
      const isHeldUp = stop.kind === "breakpoint" && holding.has(stop.nodeRunId);
      if (isHeldUp) stop = { kind: "pause", reason: "step" };
      if (stop.kind !== "pause") break;
    }
    this.#stop = stop;
    return stop;
  }

  /** A run of its own from a step of this one, held there, with the same breakpoints. */
  fork(step: number, edits?: Edit<Record<string, unknown>>): Debugger {
    const branch = new Debugger(this.run.fork(step, edits, { isHeld: true }));
    for (const { breakpoint } of this.breakpoints) branch.setBreakpoint(breakpoint);
    return branch;
  }

  /** The depth in called graphs: 0 in the run's own graph. */
  get depth(): number {
    return this.#scopes()[0]?.frame.path.length ?? 0;
  }

  /** From the innermost out to the run. */
  get frames(): readonly DebugFrame[] {
    return this.#scopes().map(({ frame }) => frame);
  }

  /** The text that a frame's place is in. */
  sourceOf(frame: number): Source | undefined {
    return this.#frame(frame).within?.program.ir.source;
  }

  /** The same object while the run stands where it does. */
  values(name: ScopeName, frame = 0): Readonly<Record<string, unknown>> {
    const scope = this.#frame(frame);
    const known = this.#values.get(`${name} ${frame}`);
    if (known !== undefined) return known;
    const values = valuesIn(scope, name, this.run.position);
    this.#values.set(`${name} ${frame}`, values);
    return values;
  }

  /** The value of an expression of the language in a frame: M5450, M5011. */
  evaluate(text: string, frame = 0): unknown {
    return evaluateIn(this.#frame(frame), text);
  }

  /** Finds the writer of the value at a path of the run's own state. Throws M5453 where there is none. */
  blame(path: string): Blame {
    return blame(this.run, path);
  }

  /** The steps that could have had a part in it. */
  slice(path: string, options?: { readonly causes?: boolean }): readonly number[] {
    return slice(this.run, path, options);
  }

  async #go(goal: Goal): Promise<Stop> {
    this.#stop = undefined;
    const stop = await this.run.continue(goal);
    this.#stop = stop;
    return stop;
  }

  /** Worked out when somebody looks, once for each place that it stands at. */
  #scopes(): readonly FrameScope[] {
    const { position } = this.run;
    const known = this.#seen;
    if (known?.snapshot === position.snapshot && known.stop === this.#stop) return known.scopes;
    const scopes = framesAt(position, this.#stop);
    this.#seen = { snapshot: position.snapshot, stop: this.#stop, scopes };
    this.#values.clear();
    return scopes;
  }

  #frame(id: number): FrameScope {
    const scopes = this.#scopes();
    const scope = scopes[id];
    if (scope !== undefined) return scope;
    throw new RunError("M5451", `there is no frame ${id}`, {
      hint: `the frames here: 0 to ${scopes.length - 1}`,
      runId: this.run.id,
    });
  }
}
