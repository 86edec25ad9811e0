/** Events of the way through the graph: routes, joins, and items of an `each`. */
import type { Failure } from "../../failure.ts";
import type { EventBase } from "./event-base.ts";

export type FlowEvent =
  | RouteChosen
  | JoinFired
  | JoinReleased
  | JoinLate
  | WorkDetached
  | QuorumFailed
  | EachFailed
  | EachStarted
  | EachItem
  | EachFinished;

/** The flow continues: the node runs that became due, and how many branches ended here. */
export interface RouteChosen extends EventBase {
  readonly kind: "route.chosen";
  /** The node run that ended; absent at the start of the run. */
  readonly node?: string;
  readonly nodeRun?: number;
  readonly step: number;
  readonly to: readonly RouteTarget[];
  readonly ended: number;
  /** The node handed its work over, and waits for a `return`; or its `return` led back to one that did. */
  readonly handover?: "hand-over" | "return";
}

export interface RouteTarget {
  readonly node: string;
  readonly nodeRun: number;
  readonly label: string;
}

export interface JoinFired extends EventBase {
  readonly kind: "join.fired";
  readonly step: number;
  readonly join: string;
  /** At as many arrivals as it needs, or because one of its nodes failed; absent where all have come. */
  readonly by?: "need" | "failure";
  /** The nodes that it did not wait for. */
  readonly missing?: readonly string[];
}

/** A join went on without the sources that can't come any more. */
export interface JoinReleased extends EventBase {
  readonly kind: "join.released";
  readonly step: number;
  readonly join: string;
  readonly missing: readonly string[];
}

/** A branch comes to a join that went on without it: it ends there. */
export interface JoinLate extends EventBase {
  readonly kind: "join.late";
  readonly step: number;
  readonly join: string;
  readonly source: string;
}

/** A `detached` arrow was taken: what it starts goes on by itself, until it or the run ends. */
export interface WorkDetached extends EventBase {
  readonly kind: "work.detached";
  readonly step: number;
  readonly node?: string;
  readonly nodeRun?: number;
  /** The nodes that start, and the `each`es by their ids. */
  readonly to: readonly string[];
}

/** A join or an `each` can't get as many arrivals as it needs; an arrow or an `each` around it may say how to go on. */
export interface QuorumFailed extends EventBase {
  readonly kind: "quorum.failed";
  readonly step: number;
  /** `[a, b]`, or the id of the `each`. */
  readonly join: string;
  readonly isHandled: boolean;
  readonly failure: Failure;
}

/** An item failed, and the arrow behind the `each` for that was taken: all of its items have ended. */
export interface EachFailed extends EventBase {
  readonly kind: "each.failed";
  readonly step: number;
  readonly each: string;
  readonly expansion: number;
  /** The node that failed. */
  readonly node?: string;
  readonly nodeRun?: number;
}

export interface EachStarted extends EventBase {
  readonly kind: "each.started";
  readonly step: number;
  readonly each: string;
  /** Numbers the uses of all `each`es in the run. */
  readonly expansion: number;
  readonly items: number;
  readonly parallel: number;
}

/** The stream of an `each` gave an item, ended, or failed. */
export interface EachItem extends EventBase {
  readonly kind: "each.item";
  readonly step: number;
  readonly each: string;
  /** The n-th that came, from 1. */
  readonly number: number;
  /** `skipped`: left out by its `when`. */
  readonly status: "taken" | "skipped" | "ended" | "failed";
  readonly value?: unknown;
  readonly failure?: Failure;
}

export interface EachFinished extends EventBase {
  readonly kind: "each.finished";
  readonly step: number;
  readonly each: string;
  readonly expansion: number;
  readonly items: number;
  readonly durationMs: number;
}
