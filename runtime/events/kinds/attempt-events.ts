/** Events of an attempt: its start, its end, and the commit that makes its work true. */
import type { Failure } from "../../failure.ts";
import type { ServedFrom } from "../../records/call-records.ts";
import type { AttemptReason, AttemptRecord, LoggedWrite } from "../../records/records.ts";
import type { Patch } from "../../state/patch.ts";
import type { Usage } from "../../usage.ts";
import type { EventBase, NodeFacts, SpanFacts } from "./event-base.ts";

export type AttemptEvent = AttemptStarted | AttemptFinished | Committed | AgentChanged;

export interface AttemptStarted extends EventBase, NodeFacts, SpanFacts {
  readonly kind: "attempt.started";
  readonly reason: AttemptReason;
  readonly args?: Readonly<Record<string, unknown>>;
  /** The node run whose end let this one begin; absent for what the run itself starts. */
  readonly cause?: number;
}

export interface AttemptFinished extends EventBase, NodeFacts, SpanFacts {
  readonly kind: "attempt.finished";
  readonly status: "ok" | "error" | "aborted" | "timeout";
  readonly failure?: Failure;
  /** The consequence of an attempt that did not commit: `resume` when the run was stopped over it. */
  readonly next?: AttemptRecord["next"] | "resume";
  readonly notBefore?: number;
  /** It came to what an attempt like it had come to before: nothing was asked or called. */
  readonly isCached?: true;
  /** Of a run that is another one again: the attempt there that it was taken from. */
  readonly served?: ServedFrom;
  readonly usage: Usage;
  readonly durationMs: number;
  /** The step before the end of an attempt that changed the state without a commit (the routes of a skipped item). */
  readonly step?: number;
  readonly writes?: readonly LoggedWrite[];
  readonly patches?: readonly Patch[];
}

/** Step n of the run. */
export interface Committed extends EventBase, NodeFacts {
  readonly kind: "commit";
  readonly step: number;
  readonly output?: unknown;
  readonly writes: readonly LoggedWrite[];
  readonly patches: readonly Patch[];
  readonly usage: Usage;
  readonly durationMs: number;
}

/** A step changed state of the agent's own. */
export interface AgentChanged extends EventBase, NodeFacts {
  readonly kind: "agent.changed";
  readonly step: number;
  /** The instance: `search@2.0`. */
  readonly agent: string;
  readonly patches: readonly Patch[];
}
