/** Where a run is held by itself. */
import { calledGraph, type ExprIr, type Ir } from "../../dsl/index.ts";
import { textOf } from "./breakpoint-text.ts";
import { readBreakpoint } from "./read-breakpoint.ts";
import type { RunStep } from "./step.ts";
import { BreakpointWarnings } from "./unanswered.ts";

/** A node, or what a run is held at; all of them also in the graphs that it calls, as `go/search`. */
export type Breakpoint<N extends string = string> =
  | N
  | BreakpointAt<N>
  | BreakpointOnEdge
  | Watchpoint
  | BreakpointOn<N>
  | CostBreakpoint;

/** Which of the times that it is come to hold the run. */
export interface BreakpointCondition {
  /** An expression of the language that must be true, about the state, the node's `inbox` and, behind it, its `result`. */
  readonly if?: string;
  /** Only from the n-th time on. */
  readonly hits?: number;
}

/** A node and a side of its attempts: `before` one starts, or `after` its commit. */
export interface BreakpointAt<N extends string = string> extends BreakpointCondition {
  readonly node: N;
  readonly when?: "before" | "after";
  /** `branch`: holds the node run alone, before it starts, while the others go on; else the whole run is held. */
  readonly holds?: "run" | "branch";
}

/**
 * An arrow, `a -> b`: behind the commit of `a` that leads to `b`, or to the join in front of it. `a -> end` is one too;
 * `start -> a` holds before `a` starts for the first time, and not where another arrow leads to it.
 */
export interface BreakpointOnEdge extends BreakpointCondition {
  readonly edge: string;
}

/** A field or a part of one, `plan.steps[2].title`: behind what gives it another value. An edit by a person does not. */
export interface Watchpoint extends BreakpointCondition {
  readonly watch: string;
}

/**
 * What happens, of any node or of one: `error` and `limit` before the failure is decided on, so that what is wrong can be
 * put right first; `tool` before the call; `approval` and `question` when one is asked; `message` behind the commit that
 * sends one.
 */
export interface BreakpointOn<N extends string = string> extends BreakpointCondition {
  readonly on: BreakpointEvent;
  readonly node?: N;
  /** Of `tool`: its name; of `message`: its kind. */
  readonly name?: string;
}

export type BreakpointEvent = "error" | "limit" | "approval" | "question" | "tool" | "message";

/** Behind what makes the run dearer than so many dollars. */
export interface CostBreakpoint extends BreakpointCondition {
  readonly costAbove: number;
}

/** Why `continue` came back. `after` a node, `step` is its commit. */
export type Stop<N extends string = string> =
  | {
      readonly kind: "breakpoint";
      /** The node run that is held before its start or call, or that has done what holds the run. */
      readonly node: N;
      readonly when: "before" | "after";
      readonly nodeRunId: string;
      readonly attempt: number;
      readonly step?: RunStep<Record<string, unknown>, N>;
      /** What held it, where that is no node's breakpoint: `watch plan.steps`, `error`, `edge a -> b`. */
      readonly by?: string;
      /** The arrow that held it. */
      readonly edge?: StopEdge;
    }
  /** Nothing else can run before somebody answers. */
  | { readonly kind: "interrupt"; readonly id: string; readonly node: N }
  /** Somebody paused it, or it has gone as far as it was told to. */
  | { readonly kind: "pause"; readonly reason: string }
  | { readonly kind: "end"; readonly status: "succeeded" | "failed" | "aborted" };

/** An arrow of the graph that the node is of. */
export interface StopEdge {
  readonly from: string;
  readonly to: string;
}

/** Where a run may be held. `path` leads to the graph that is called: `""`, or `go/`. */
export type BreakpointPlace = PlaceOf & {
  readonly condition?: ExprIr;
  /** The text of the condition, where it is none of the graph's own. */
  readonly typed?: string;
  /** From which time on; 1 where every time counts. */
  readonly from?: number;
};

type PlaceOf =
  | {
      readonly kind: "node";
      readonly node: string;
      readonly when: "before" | "after";
      /** The node run alone. */
      readonly isBranch?: true;
    }
  | { readonly kind: "edge"; readonly text: string; readonly node: string; readonly to: string }
  | {
      readonly kind: "watch";
      readonly text: string;
      readonly path: string;
      readonly field: string;
      readonly rest: readonly (string | number)[];
    }
  | {
      readonly kind: "event";
      readonly on: BreakpointEvent;
      readonly node?: string;
      readonly name?: string;
    }
  | { readonly kind: "cost"; readonly above: number };

/** The breakpoints of a run: those that its graph writes down, and others that may come and go while it is under way. */
export class Breakpoints {
  /** Of conditions that had no answer. */
  warnings = new BreakpointWarnings();
  readonly #ir: Ir;
  #set = new Set<BreakpointPlace>();
  /** How often each has been come to, of those that count. */
  #times = new Map<BreakpointPlace, number>();
  /** Those that nobody set here. */
  readonly #written: readonly BreakpointPlace[];
  #isPast = false;

  constructor(ir: Ir) {
    this.#ir = ir;
    this.#written = writtenIn(ir);
    for (const place of this.#written) this.#set.add(place);
  }

  /** What people set in another program of the run; what takes one of them back does so here. */
  takeOver(before: Breakpoints): void {
    if (before.#isPast) this.clear();
    for (const place of before.#set) {
      if (!before.#written.includes(place)) this.#set.add(place);
    }
    before.#set = this.#set;
    this.#times = before.#times;
    this.warnings = before.warnings;
  }

  /** Goes past what the graph says: for a run that nobody watches. */
  clear(): void {
    this.#isPast = true;
    this.#set.clear();
  }

  /** Sets one; the result takes it back. M5003 for a place that is not there, M5450 for a condition that can't be read. */
  add(breakpoint: Breakpoint): () => void {
    const place = readBreakpoint(this.#ir, breakpoint);
    this.#set.add(place);
    const remove = () => {
      this.#set.delete(place);
      this.#times.delete(place);
    };
    // What a notebook or a console shows of it.
    const text = `breakpoint ${textOf(place)}; call this to remove it`;
    return Object.assign(remove, { [Symbol.for("nodejs.util.inspect.custom")]: () => text });
  }

  get isEmpty(): boolean {
    return this.#set.size === 0;
  }

  /** Whether one of them holds a branch alone. */
  get holdsBranches(): boolean {
    for (const place of this.#set)
      if (place.kind === "node" && place.isBranch === true) return true;
    return false;
  }

  get places(): Iterable<BreakpointPlace> {
    return this.#set;
  }

  /** Counts that a place was come to, and says whether the run is held there this time. */
  counts(place: BreakpointPlace): boolean {
    const { from = 1 } = place;
    if (from <= 1) return true;
    const times = (this.#times.get(place) ?? 0) + 1;
    this.#times.set(place, times);
    return times >= from;
  }
}

/** The arrow that a breakpoint is on, in its own graph's names. */
export function edgeOf(place: BreakpointPlace): StopEdge | undefined {
  if (place.kind !== "edge") return undefined;
  return { from: place.node.slice(place.node.lastIndexOf("/") + 1), to: place.to };
}

/** The `break` statements of a graph and of those that it calls, each of them once. */
function writtenIn(ir: Ir, path = "", above: readonly string[] = []): readonly BreakpointPlace[] {
  const own = ir.breaks.flatMap(({ nodes, when, condition }) =>
    nodes.map((node) => ({
      ...{ kind: "node" as const, node: `${path}${node}`, when },
      ...(condition === undefined ? {} : { condition }),
    })),
  );
  const called = ir.nodes.flatMap(({ name, kind, call }) => {
    const graph = kind === "graph" ? calledGraph(ir, call?.callee.join(".") ?? "") : undefined;
    // A graph that calls itself has no last call that could be named here.
    if (graph === undefined || above.includes(graph.hash)) return [];
    return writtenIn(graph, `${path}${name}/`, [...above, ir.hash]);
  });
  return [...own, ...called];
}
