/** One run as a debugger sees it: it is held, looked at, and moved, forth and back. */
import { RunError } from "../failure.ts";
import type { Breakpoint, Stop } from "../run/breakpoints.ts";
import type { Edit } from "../run/edit.ts";
import type { Goal } from "../run/hold.ts";
import { GraphRun } from "../run/run.ts";
import { type Blame, blame, slice } from "./blame.ts";
import { evaluateIn } from "./evaluate.ts";
import { type DebugFrame, type FrameScope, framesAt } from "./frames.ts";
import { type ScopeName, valuesIn } from "./scopes.ts";

export interface SetBreakpoint {
  readonly id: number;
  readonly breakpoint: Breakpoint;
}

export class Debugger {
  readonly run: GraphRun;
  readonly #breakpoints = new Map<number, { readonly breakpoint: Breakpoint; remove(): void }>();
  #nextId = 1;
  #stop: Stop | undefined;

  /** Of a run of this process's session, as `graph.debug`, `graph.run` and `runs.open` give it. */
  constructor(run: { readonly id: string }) {
    if (!(run instanceof GraphRun)) {
      throw new RunError("M5455", "this is no run that can be debugged", {
        hint: "`new Debugger(graph.debug({ … }))`, or what `graph.run` or `runs.open` gives",
      });
    }
    this.run = run;
  }

  /** Why it stands, since it was last moved. */
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

  /** Whether there was one of this number. */
  removeBreakpoint(id: number): boolean {
    this.#breakpoints.get(id)?.remove();
    return this.#breakpoints.delete(id);
  }

  clearBreakpoints(): void {
    for (const id of [...this.#breakpoints.keys()]) this.removeBreakpoint(id);
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
    const { steps } = this.run;
    if (step > steps.length) return await this.#go({ toStep: step });
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

  /** Holds a run that is under way, as soon as it is between two records. */
  async pause(): Promise<void> {
    await this.run.pause({ reason: "debug" });
  }

  /** A run of its own from a step of this one, held there, with the same breakpoints. */
  fork(step: number, edits?: Edit<Record<string, unknown>>): Debugger {
    const branch = new Debugger(this.run.fork(step, edits, { isHeld: true }));
    for (const { breakpoint } of this.breakpoints) branch.setBreakpoint(breakpoint);
    return branch;
  }

  /** How many graphs deep it stands: 0 in the run's own. */
  get depth(): number {
    return this.#scopes()[0]?.frame.path.length ?? 0;
  }

  /** From the innermost out to the run. */
  get frames(): readonly DebugFrame[] {
    return this.#scopes().map(({ frame }) => frame);
  }

  values(name: ScopeName, frame = 0): Readonly<Record<string, unknown>> {
    return valuesIn(this.#frame(frame), name, this.run.position);
  }

  /** The value of an expression of the language in a frame: M5450, M5011. */
  evaluate(text: string, frame = 0): unknown {
    return evaluateIn(this.#frame(frame), text);
  }

  /** Who wrote what stands at a path of the run's own state: M5453 where nothing does. */
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

  #scopes(): readonly FrameScope[] {
    return framesAt(this.run.position, this.#stop);
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
