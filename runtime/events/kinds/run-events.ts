/** Events of a run as a whole and of the graphs that it calls. */
import type { Failure } from "../../failure.ts";
import type { NodeUse } from "../../records/control-records.ts";
import type { EndRecord } from "../../records/records.ts";
import type { Patch } from "../../state/patch.ts";
import type { Usage } from "../../usage.ts";
import type { EventBase, NodeFacts, SpanFacts } from "./event-base.ts";

export type LifeEvent =
  | RunStarted
  | RunPaused
  | RunWaiting
  | RunResumed
  | RunHeld
  | BranchHeld
  | BranchReleased
  | RunReleased
  | RunRewound
  | RunEdited
  | RunFinished
  | GraphStarted
  | PlanModified
  | GraphFinished
  | NodeUsed
  | LimitReached
  | ErrorRaised;

export interface RunStarted extends EventBase, SpanFacts {
  readonly kind: "run.started";
  readonly graph: string;
  readonly graphHash: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The patches that make the initial state, then those of routes from `start`. */
  readonly patches: readonly Patch[];
}

export interface RunPaused extends EventBase {
  readonly kind: "run.paused";
  readonly reason?: string;
}

/** Nothing in it can go on before somebody answers. */
export interface RunWaiting extends EventBase {
  readonly kind: "run.waiting";
}

export interface RunResumed extends EventBase {
  readonly kind: "run.resumed";
  readonly reason?: string;
  readonly owner?: string;
  /** The hash of the program with which it continues, if that has changed. */
  readonly graphHash?: string;
  /** The sha256 of each function that its nodes call, as it is from here on. */
  readonly code?: Readonly<Record<string, string>>;
}

/** Nothing starts or commits until it is released; what is in flight goes on. */
export interface RunHeld extends EventBase {
  readonly kind: "run.held";
  /** `debug`, `step`, `breakpoint:<node>`, `rewind`, `user`, or what `pause` was told. */
  readonly reason: string;
}

/** One node run neither starts nor commits until it is released; the others go on. */
export interface BranchHeld extends EventBase, NodeFacts {
  readonly kind: "branch.held";
  /** `user`, or `breakpoint:<node>`. */
  readonly reason: string;
}

export interface BranchReleased extends EventBase, NodeFacts {
  readonly kind: "branch.released";
}

export interface RunReleased extends EventBase {
  readonly kind: "run.released";
}

/** The run is held as it was after an earlier step. */
export interface RunRewound extends EventBase {
  readonly kind: "run.rewound";
  readonly step: number;
  /** The last record that still counts: everything between it and this event's is undone. */
  readonly to: number;
  /** Node runs that were open then; they go on under other numbers. */
  readonly dropped: readonly number[];
}

/** A person gave fields other values; they belong to the last step. */
export interface RunEdited extends EventBase {
  readonly kind: "run.edited";
  readonly step: number;
  readonly reason?: string;
  readonly patches: readonly Patch[];
}

export interface RunFinished extends EventBase, SpanFacts {
  readonly kind: "run.finished";
  readonly status: EndRecord["status"];
  readonly reason: string;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly failure?: Failure;
  readonly node?: string;
  readonly attempt?: number;
  readonly steps: number;
  readonly usage: Usage;
  readonly durationMs: number;
  /** Writes that fold only at the end; they belong to the last step. */
  readonly step: number;
  readonly patches: readonly Patch[];
}

/** A graph that a node run calls begins. */
export interface GraphStarted extends EventBase {
  readonly kind: "graph.started";
  readonly graph: string;
  readonly graphHash: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** As of a run: its state out of nothing. */
  readonly patches: readonly Patch[];
}

/** Another plan for the graph that a node run has made of one: what was done, or is under way in both, stays. */
export interface PlanModified extends EventBase, NodeFacts {
  readonly kind: "plan.modified";
  readonly plan: unknown;
  /** The ids of the steps that were done. */
  readonly done: readonly string[];
  /** The labels of the node runs that go on as they were. */
  readonly carriedOver: readonly string[];
}

/** A called graph ended. The events of its caller follow. */
export interface GraphFinished extends EventBase {
  readonly kind: "graph.finished";
  readonly graph: string;
  readonly status: EndRecord["status"];
  readonly reason: string;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly failure?: Failure;
  /** Of the called graph. */
  readonly steps: number;
  readonly usage: Usage;
  readonly durationMs: number;
  readonly patches: readonly Patch[];
}

/** A person has a node use something else, from its next attempt on. */
export interface NodeUsed extends EventBase, NodeUse {
  readonly kind: "node.used";
  readonly step: number;
  readonly node: string;
}

export interface LimitReached extends EventBase {
  readonly kind: "limit.reached";
  readonly limit: string;
  readonly message?: string;
  /** The node whose limit it was; absent for a limit of the run. */
  readonly node?: string;
  readonly nodeRun?: number;
  readonly attempt?: number;
}

/** A node run failed for good, or the run did by itself. */
export interface ErrorRaised extends EventBase {
  readonly kind: "error";
  readonly failure: Failure;
  readonly node?: string;
  readonly nodeRun?: number;
  readonly attempt?: number;
}
