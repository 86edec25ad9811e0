/** Describes one step of a run: its commit, the state after it, and what it changed. */
import type { Patch } from "../state/patch.ts";

/** One commit of a run. */
export interface Step<S = Record<string, unknown>, N extends string = string> {
  /** n-th commit of the run's path, from 1. */
  readonly step: number;
  readonly node: N;
  readonly nodeRunId: string;
  /** The labels that lead to a called graph. `step` and `state` are then those of that graph. */
  readonly path?: readonly string[];
  readonly attempt: number;
  readonly output: unknown;
  readonly patches: readonly Patch[];
  /** The number of its record in the log. */
  readonly seq: number;
  readonly state: S;
}

/** The parts of a step. */
type StepParts<S, N extends string> = Omit<Step<S, N>, "state" | "output" | "node"> & {
  readonly node: string;
  readonly output?: unknown;
};

/** A step of a run: a class, so that whoever shows values can tell one. Its state is worked out when it is looked at. */
export class RunStep<S = Record<string, unknown>, N extends string = string> implements Step<S, N> {
  readonly step: number;
  readonly node: N;
  readonly nodeRunId: string;
  declare readonly path?: readonly string[];
  readonly attempt: number;
  readonly output: unknown;
  readonly patches: readonly Patch[];
  readonly seq: number;
  readonly #state: () => S;

  constructor(of: StepParts<S, N>, state: () => S) {
    this.step = of.step;
    // The graph's own nodes are those that its types name.
    this.node = of.node as N;
    this.nodeRunId = of.nodeRunId;
    if (of.path !== undefined) this.path = of.path;
    this.attempt = of.attempt;
    this.output = of.output;
    this.patches = of.patches;
    this.seq = of.seq;
    this.#state = state;
  }

  get state(): S {
    return this.#state();
  }
}
