/** Events of nodes with `every`, from their first round to their last check. */

import type { Failure } from "../../failure.ts";
import type { EventBase, NodeFacts } from "./event-base.ts";

export type SentinelEvent =
  | SentinelStarted
  | SentinelChecked
  | SentinelFailed
  | SentinelSleeping
  | SentinelFinished;

/** The first round begins. */
export interface SentinelStarted extends EventBase, NodeFacts {
  readonly kind: "sentinel.started";
}

/** A round is done, and it is known whether what is waited for holds. */
export interface SentinelChecked extends EventBase, NodeFacts {
  readonly kind: "sentinel.checked";
  readonly step: number;
  /** The round, from 1. */
  readonly check: number;
  /** The rounds there are to be, where that is what it waits for. */
  readonly of?: number;
  /** The condition that it waits for, in words. */
  readonly condition?: string;
  readonly met: boolean;
  readonly reason?: string;
  /** The rounds that went wrong in a row, up to this one. */
  readonly errors: number;
  /** Since the first round began, in milliseconds. */
  readonly sinceStartMs: number;
}

/** A round's attempt failed; the next one comes nevertheless. */
export interface SentinelFailed extends EventBase, NodeFacts {
  readonly kind: "sentinel.failed";
  readonly check: number;
  readonly errors: number;
  readonly failure: Failure;
}

/** Nothing of it runs until the next round. */
export interface SentinelSleeping extends EventBase, NodeFacts {
  readonly kind: "sentinel.sleeping";
  readonly check: number;
  /** The start of the next round, in milliseconds since the epoch. */
  readonly until: number;
  readonly sleepMs: number;
  readonly reason?: string;
}

/** No round follows. */
export interface SentinelFinished extends EventBase, NodeFacts {
  readonly kind: "sentinel.finished";
  readonly checks: number;
  /** `met`, `times` (as often as was asked for), `max` (a limit: what it waits for does not hold) or `errors`. */
  readonly reason: "met" | "times" | "max" | "errors";
  readonly sinceStartMs: number;
}
