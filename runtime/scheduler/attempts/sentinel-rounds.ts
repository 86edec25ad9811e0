/** Runs a node with `every` again until its condition holds. */

import type { NodeIr } from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { Judged, JudgedCondition } from "../../records/directions.ts";
import { evaluate, type Lookup } from "../expressions/evaluate.ts";
import { EvaluationError } from "../expressions/evaluation-errors.ts";
import { nextDaily } from "../expressions/wall-clock.ts";
import type { Departure } from "../flow/departure.ts";
import { activate, emit, type FlowDraft } from "../flow/flow-draft.ts";
import { depart } from "../flow/follow-routes.ts";
import { usedUp } from "../flow/used-up.ts";
import { countOf } from "../limits.ts";
import { lookupAt, shownFailure } from "../lookup.ts";
import type { Outlet, Program } from "../program/program.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";

/** The result of a round of a sentinel. `limited`: it was the last one, and its condition does not hold. */
export type SentinelRound =
  | { readonly kind: "over"; readonly check: JudgedCondition }
  | { readonly kind: "limited"; readonly check: JudgedCondition }
  | { readonly kind: "again"; readonly check: JudgedCondition; readonly notBefore: number }
  | { readonly kind: "gave-up"; readonly failure: Failure };

/** Rounds that go wrong in a row before a sentinel gives up. */
export const ERRORS_MAX = 3;

/** The longest wait behind a round that went wrong, in milliseconds. */
const ERROR_SLEEP_MAX_MS = 30_000;

/** Decides on the round that `run` has just been, on the state as it has left it. Of another node: nothing. */
export function roundOf(
  draft: FlowDraft,
  run: NodeRun,
  at: Omit<Departure, "outlet">,
  judged: Judged | undefined,
): SentinelRound | undefined {
  const { program, snapshot } = draft;
  const node = program.nodes[run.node]?.ir;
  if (node?.every === undefined) return undefined;
  const number = roundNumber(run);
  const lookup = lookupAt(program, snapshot, { ...at, round: number });
  const until = node.every.until && evaluate(node.every.until, lookup);
  const verdict = judged?.until;
  const errors = verdict?.error === true ? errorsOf(run) + 1 : 0;
  const check = checkOf(draft, run, { number, until, judged, errors });
  if (check.met) return { kind: "over", check };
  if (errors >= ERRORS_MAX) return { kind: "gave-up", failure: gaveUp(node.name, check.reason) };
  const max = node.every.max && countOf(program, snapshot, node.every.max);
  if (max !== undefined && number >= max) {
    // Without a condition, `max` says how often: having done that is what was asked for.
    if (node.every.until === undefined) return { kind: "over", check };
    return { kind: "limited", check: { ...check, limited: true } };
  }
  const notBefore = nextRound(node.every, lookup, { at: draft.at, errors, verdict });
  const slept = verdict?.sleepReason === undefined ? {} : { sleepReason: verdict.sleepReason };
  return { kind: "again", check: { ...check, next: notBefore, ...slept }, notBefore };
}

/** Activates the node anew, in the same line. */
export function runAgain(
  draft: FlowDraft,
  run: NodeRun,
  { frame, seq, scope, args }: Omit<Departure, "outlet">,
  { check, notBefore }: SentinelRound & { readonly kind: "again" },
): void {
  activate(draft, {
    node: run.node,
    frame,
    seq: seq + 1,
    scope,
    ...(args === undefined ? {} : { args }),
    notBefore,
    iteration: check.number,
    sentinel: {
      first: run.sentinel?.first ?? run.id,
      since: check.since,
      errors: check.errors,
      checkedAt: draft.at,
      ...(check.reason === undefined ? {} : { reason: check.reason }),
    },
  });
}

/**
 * Returns the next round of a sentinel that a failed attempt would end; undefined where it gives
 * up.
 */
export function roundAfterFailure(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  { failure, at }: { readonly failure: Failure; readonly at: number },
): { readonly errors: number; readonly notBefore: number } | undefined {
  const every = program.nodes[run.node]?.ir.every;
  const errors = errorsOf(run) + 1;
  if (every === undefined || errors >= ERRORS_MAX || !PASSING.includes(failure.class))
    return undefined;
  const { frame, scope, args } = run;
  const lookup = lookupAt(program, snapshot, {
    frame,
    scope,
    ...(args === undefined ? {} : { args }),
  });
  try {
    return { errors, notBefore: nextRound(every, lookup, { at, errors, verdict: undefined }) };
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

/** Failures that a later round may not have. */
const PASSING: readonly Failure["class"][] = [
  "transport",
  "model",
  "filter",
  "refusal",
  "invalid",
  "tool",
  "timeout",
];

/** Rounds count from 1. */
export function roundNumber({ iteration = 0 }: NodeRun): number {
  return iteration + 1;
}

export function errorsOf({ sentinel }: NodeRun): number {
  return sentinel?.errors ?? 0;
}

interface Outcome {
  readonly number: number;
  readonly until: unknown;
  readonly judged: Judged | undefined;
  readonly errors: number;
}

function checkOf(
  { at }: FlowDraft,
  run: NodeRun,
  { number, until, judged, errors }: Outcome,
): JudgedCondition {
  const since = run.sentinel?.since ?? run.runningSince ?? at;
  const verdict = judged?.until;
  const of = typeof until === "number" ? { of: until } : {};
  const words = typeof until === "string" ? { condition: until } : {};
  const reason = verdict?.reason;
  return {
    number,
    since,
    errors,
    met: isMet(until, number, judged),
    ...of,
    ...words,
    ...(reason === undefined ? {} : { reason }),
  };
}

/**
 * Returns whether the condition holds. Without a judge, a condition in words counts as true; a
 * value that is not written yet as false.
 */
function isMet(until: unknown, number: number, judged: Judged | undefined): boolean {
  if (typeof until === "number") return number >= until;
  if (typeof until === "string") return judged === undefined || judged.until?.met === true;
  return until === true;
}

type Every = NonNullable<NodeIr["every"]>;

function nextRound(
  every: Every,
  lookup: Lookup,
  of: { readonly at: number; readonly errors: number; readonly verdict: Judged["until"] },
): number {
  const { at, errors, verdict } = of;
  const due =
    nextDaily(every.interval, lookup, at) ?? at + sleepOf(every, lookup, verdict?.sleepMs);
  return errors === 0 ? due : Math.min(due, at + ERROR_SLEEP_MAX_MS);
}

/**
 * Returns the sleep, in milliseconds, that the judge chose within `from..to`; the shortest without
 * a choice.
 */
function sleepOf(every: Every, lookup: Lookup, chosenMs: number | undefined): number {
  const { fromMs, toMs } = rangeOf(every, lookup);
  return Math.min(Math.max(chosenMs ?? fromMs, fromMs), toMs);
}

/** The shortest and the longest wait between two rounds. */
export function rangeOf(every: Every, lookup: Lookup) {
  const fromMs = millisecondsOf(every.interval, lookup);
  const toMs = every.intervalMax === undefined ? fromMs : millisecondsOf(every.intervalMax, lookup);
  return { fromMs, toMs: Math.max(fromMs, toMs) };
}

function gaveUp(node: string, reason: string | undefined): Failure {
  const why = reason === undefined ? "" : `; the last: ${reason}`;
  return {
    class: "tool",
    code: "M5360",
    message: `\`${node}\` gave up after ${ERRORS_MAX} rounds that went wrong${why}`,
    hint: "see its checks in the trace (`sentinel.checked`), then resume the run",
  };
}

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A duration, or a text like `5m` from the state. */
function millisecondsOf(interval: Every["interval"], lookup: Lookup): number {
  const value = evaluate(interval, lookup);
  if (typeof value === "number") return value;
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)(ms|[smhd])$/.exec(String(value).trim()) ?? [];
  const unitMs = UNITS_MS[unit];
  if (count !== undefined && unitMs !== undefined) return Number(count) * unitMs;
  const shown = JSON.stringify(value) ?? "nothing";
  throw new EvaluationError(`\`every\` needs a time like 5m, not ${shown}`, interval.span);
}

/** A sentinel has used up its rounds: along its arrow `on limit`, else nothing can go on from there. */
export function departLimited(
  draft: FlowDraft,
  at: Omit<Departure, "outlet">,
  outlet: Outlet | undefined,
): void {
  if (outlet !== undefined) {
    const node = draft.program.nodes[at.by ?? -1]?.ir.name ?? "";
    depart(draft, { ...at, outlet, error: shownFailure(node, usedUp(draft, "rounds", node)) });
    return;
  }
  draft.exhausted = "rounds";
  emit(draft, { op: "end", frame: at.frame, scope: at.scope });
}
