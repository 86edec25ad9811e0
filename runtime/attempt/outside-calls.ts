/**
 * Keeps the external calls of one attempt apart: gives each the key under which it is made, and finds those that an earlier
 * attempt of the node run has made already.
 */
import { hash } from "node:crypto";
import { canonicalJson } from "../../dsl/index.ts";
import type { Journal } from "../history/journal.ts";
import type { Attempt, EffectCall } from "../performer.ts";
import type { OutcomeRecord } from "../records/call-records.ts";

/** An external call as it is about to be made. */
export interface OutsideCall {
  readonly key: string;
  /** An equal call that an earlier attempt has made with success: it serves this one. */
  readonly earlier?: OutcomeRecord;
  /** It came to nothing, or its end is in doubt: an equal call that follows is the same one again. */
  readonly failed: () => void;
}

/** The position of an attempt in its run. */
interface CallingAttempt {
  readonly id: number;
  readonly attempt: number;
}

/** The external calls of one attempt, in the order in which it makes them. */
export class OutsideCalls {
  readonly #given: Attempt;
  readonly #journal: Journal;
  readonly #of: CallingAttempt;
  /** The number of equal calls so far that have not failed, by what they ask. */
  readonly #made = new Map<string, number>();
  #earlier: Map<string, OutcomeRecord[]> | undefined;

  constructor(given: Attempt, journal: Journal, of: CallingAttempt) {
    this.#given = given;
    this.#journal = journal;
    this.#of = of;
  }

  /** The next call, number `number` of the attempt. To be asked before anything is awaited, so that no two calls are served by one. */
  next(call: OutsideRequest, number: number): OutsideCall {
    const asked = askedBy(call);
    const before = this.#made.get(asked) ?? 0;
    this.#made.set(asked, before + 1);
    const failed = () => this.#made.set(asked, (this.#made.get(asked) ?? 1) - 1);
    const begun = this.#journal.intent(this.#of.id, this.#of.attempt, number);
    const { runId, nodeRunId, anewFrom } = this.#given;
    const start = anewFrom === undefined ? [] : [anewFrom];
    const key = begun?.key ?? digest([runId, nodeRunId, asked, before, ...start]);
    const earlier = begun === undefined ? this.#take(call, asked) : this.#servedBy(begun.served);
    return { key, failed, ...(earlier === undefined ? {} : { earlier }) };
  }

  /** The call that an intent of this attempt names: the process ended before its result was told again. */
  #servedBy(served: OutcomeRecord["served"]): OutcomeRecord | undefined {
    if (served?.call === undefined) return undefined;
    return this.#journal.outcome(this.#of.id, served.attempt, served.call);
  }

  #take(call: OutsideRequest, asked: string): OutcomeRecord | undefined {
    if (!isServed(this.#given, call)) return undefined;
    this.#earlier ??= this.#unused();
    return this.#earlier.get(asked)?.shift();
  }

  /**
   * The calls that the attempts before this one have made with success since the node run was last started anew, without
   * those that have served this one already.
   */
  #unused(): Map<string, OutcomeRecord[]> {
    const { id, attempt } = this.#of;
    const { anewFrom = 1 } = this.#given;
    const calls = this.#journal.callsUpTo(id, attempt);
    const used = new Set(
      calls.flatMap(({ intent: { served, ...at } }) =>
        at.attempt === attempt && served?.call !== undefined ? [callPlace(served)] : [],
      ),
    );
    const made = calls.flatMap(({ intent, outcome }) => {
      const isMade = intent.external === true && outcome !== undefined && "value" in outcome;
      const isBefore = intent.attempt >= anewFrom && intent.attempt < attempt;
      const isFree = isBefore && outcome?.served?.call === undefined;
      if (!isMade || !isFree || used.has(callPlace(intent))) return [];
      return [{ asked: askedBy(intent), outcome }];
    });
    const byAsked = new Map<string, OutcomeRecord[]>();
    for (const { asked, outcome } of made)
      byAsked.set(asked, [...(byAsked.get(asked) ?? []), outcome]);
    return byAsked;
  }
}

type OutsideRequest = Pick<
  EffectCall<unknown>,
  "effect" | "name" | "request" | "repeats" | "toolCallId"
>;

/**
 * A function may do something else when it is told what a person wants changed. The node whose one call is idempotent is
 * tried again because that call is to be made again.
 */
function isServed({ reason }: Attempt, { effect, repeats, toolCallId }: OutsideRequest): boolean {
  if (reason !== "retry" && reason !== "repair") return false;
  if (effect === "function") return reason === "retry" && repeats !== "idempotent";
  return effect === "tool" && (toolCallId !== undefined || repeats !== "idempotent");
}

function askedBy({
  effect,
  name,
  request,
}: Omit<OutsideRequest, "repeats" | "toolCallId">): string {
  return canonicalJson([effect, name, request ?? null]);
}

function callPlace({
  attempt,
  call,
}: {
  readonly attempt: number;
  readonly call?: number;
}): string {
  return `${attempt}/${call}`;
}

/** The key of a call that touches nothing outside: its place in the run. */
export function keyAt(given: Attempt, { attempt }: CallingAttempt, call: number): string {
  return digest([given.runId, given.nodeRunId, attempt, call]);
}

const KEY_LENGTH = 40;

function digest(parts: readonly unknown[]): string {
  return hash("sha256", canonicalJson(parts)).slice(0, KEY_LENGTH);
}
