import type { Patch } from "../state/patch.ts";

/** One commit, as a person steps through them. */
export interface Step<S = Record<string, unknown>, N extends string = string> {
  /** n-th commit of the run's path, from 1. */
  readonly step: number;
  readonly node: N;
  readonly nodeRunId: string;
  /** Of a graph that a node run has called: the labels that lead there. `step` and `state` are those of that graph. */
  readonly path?: readonly string[];
  readonly attempt: number;
  readonly output: unknown;
  readonly patches: readonly Patch[];
  /** Its record in the log. */
  readonly seq: number;
  readonly state: S;
}

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
  declare readonly state: S;

  constructor(of: Omit<Step<S, N>, "state">, state: () => S) {
    this.step = of.step;
    this.node = of.node;
    this.nodeRunId = of.nodeRunId;
    if (of.path !== undefined) this.path = of.path;
    this.attempt = of.attempt;
    this.output = of.output;
    this.patches = of.patches;
    this.seq = of.seq;
    Object.defineProperty(this, "state", { enumerable: true, get: state });
  }
}
