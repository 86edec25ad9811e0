/** Describes breakpoints, and the stops at which they hold a run. */
import type { ExprIr } from "../../dsl/index.ts";
import type { RunStep } from "../history/step.ts";

/** A node, or what a run is held at; all of them also in the graphs that it calls, as `go/search`. */
export type Breakpoint<N extends string = string> =
  | N
  | BreakpointAt<N>
  | BreakpointOnEdge
  | Watchpoint
  | BreakpointOn<N>
  | CostBreakpoint;

/** Conditions that select the hits at which the run is held. */
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
 * A breakpoint on an event, of any node or of one: `error` and `limit` before the failure is decided on, so that the
 * cause can be mended first; `tool` before the call, of a strong agent where it tells of one, and before anybody is asked
 * for leave; `file` where a strong agent tells of one that it made or changed; `approval` and `question` when one is asked;
 * `message` behind the commit that sends one.
 */
export interface BreakpointOn<N extends string = string> extends BreakpointCondition {
  readonly on: BreakpointEvent;
  readonly node?: N;
  /** The name of a `tool`, the path of a `file` as the agent tells it, or the end of that, the kind of a `message`. */
  readonly name?: string;
}

export type BreakpointEvent =
  | "error"
  | "limit"
  | "approval"
  | "question"
  | "tool"
  | "file"
  | "message";

/** Behind what makes the run dearer than so many dollars. */
export interface CostBreakpoint extends BreakpointCondition {
  readonly costAbove: number;
}

/** The reason why `continue` returned. `after` a node, `step` is its commit. */
export type Stop<N extends string = string> =
  | {
      readonly kind: "breakpoint";
      /** The node run that is held before its start or call, or that has done what holds the run. */
      readonly node: N;
      readonly when: "before" | "after";
      readonly nodeRunId: string;
      readonly attempt: number;
      readonly step?: RunStep<Record<string, unknown>, N>;
      /** The breakpoint that held it, if it is no node's: `watch plan.steps`, `error`, `edge a -> b`. */
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

export type PlaceOf =
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

/** A place at which a run may be held. `path` leads to the called graph: `""`, or `go/`. */
export type BreakpointPlace = PlaceOf & {
  readonly condition?: ExprIr;
  /** The text of the condition, where it is none of the graph's own. */
  readonly typed?: string;
  /** From which time on; 1 where every time counts. */
  readonly from?: number;
};
