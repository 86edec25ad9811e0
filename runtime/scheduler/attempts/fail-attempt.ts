/**
 * Decides what follows a failed attempt or a reached limit: a question, a repair, a retry, an arrow, a skipped item, or the
 * end of the run.
 */

import { isAnswerRepaired, type RetryClass, type RetryIr } from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { RecordBody } from "../../records/records.ts";
import { evaluationFailure } from "../expressions/evaluate.ts";
import { isOfTheState } from "../expressions/evaluation-errors.ts";
import { createDraft, emit, type FlowDraft } from "../flow/flow-draft.ts";
import { depart } from "../flow/follow-routes.ts";
import { fireJoin } from "../flow/joins.ts";
import { conclude, failEach, failRun, isDispensable, itemsAround, settle } from "../flow/settle.ts";
import {
  countOf,
  errorsReached,
  limitFailure,
  limitQuestion,
  type ReachedLimit,
} from "../limits.ts";
import { type ShownFailure, shownFailure } from "../lookup.ts";
import type { FailureEdge, Program, ProgramJoin } from "../program/program.ts";
import { closeRun } from "../snapshot/draft.ts";
import type { Expansion } from "../snapshot/parts.ts";
import { must, type NodeRun, type Snapshot } from "../snapshot/snapshot.ts";
import { roundAfterFailure } from "./sentinel-rounds.ts";

/** Invalid output and failed post-conditions go back to the model this often before they count as a failure. */
const REPAIRS_MAX = 2;

export function failAttempt(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  failure: Failure,
  at: number,
  /** Asks somebody, when neither repairs nor retries are left. */
  ask?: () => readonly RecordBody[],
): readonly RecordBody[] {
  // Nobody knows whether the call took effect: that is for a person to find out, whatever the graph says of failures.
  if (failure.code === "M5021") return failNow(program, run, failure);
  if (isGoneNodeFailure(failure)) return giveUp(program, snapshot, { run, failure, at });
  const errors = failure.class === "limit" ? undefined : errorsReached(program, snapshot, run);
  if (errors !== undefined) {
    const asked = limitQuestion(program, snapshot, { run, limit: errors, at });
    if (asked !== undefined) return asked;
    const limit = tooManyErrors(limitFailure(errors, nameOf(program, run)), failure);
    return errors.of === "run"
      ? failNow(program, run, limit)
      : failAttempt(program, snapshot, run, limit, at);
  }
  const node = program.nodes[run.node]?.ir;
  const ended = endedAttempt(program, run, failure);
  const repairable = failure.class === "invalid" && failure.hopeless !== true;
  if (
    repairable &&
    node !== undefined &&
    isAnswerRepaired(node.kind) &&
    run.repairs < REPAIRS_MAX
  ) {
    return [{ ...ended, next: "repair" }];
  }
  const retry = retryOf(program, snapshot, run, failure, node?.retry);
  if (retry !== undefined) {
    return [{ ...ended, next: "retry", rule: retry.rule, notBefore: at + retry.delayMs }];
  }
  if (ask !== undefined) return ask();
  const again = roundAfterFailure(program, snapshot, run, { failure, at });
  if (again !== undefined) return [{ ...ended, next: "again", ...again }];
  return giveUp(program, snapshot, { run, failure, at });
}

/** Continues after a failure that is not tried again: takes its arrow, drops its item, or ends the run. */
export function giveUp(
  program: Program,
  snapshot: Snapshot,
  { run, failure, at }: { readonly run: NodeRun; readonly failure: Failure; readonly at: number },
): readonly RecordBody[] {
  const ended = endedAttempt(program, run, failure);
  const followed = follow(program, snapshot, { run, failure, at });
  if (followed !== undefined) return followed;
  for (const { item, expansion } of itemsAround(snapshot, run.scope)) {
    if (isDispensable(program, expansion))
      return skip(program, snapshot, ended, { item: item.id, at });
    const behind = followEach(program, snapshot, { run, failure, at }, expansion);
    if (behind !== undefined) return behind;
  }
  return failNow(program, run, failure);
}

/** Along the arrow behind an `each` for its failure, of which a node of one of its items is the cause. */
function followEach(
  program: Program,
  snapshot: Snapshot,
  { run, failure, at }: { readonly run: NodeRun; readonly failure: Failure; readonly at: number },
  expansion: Expansion,
): readonly RecordBody[] | undefined {
  if (failure.class === "aborted") return undefined;
  const ended = endedAttempt(program, run, failure);
  const draft = createDraft(program, snapshot, at);
  draft.snapshot.detours += 1;
  closeRun(draft.snapshot, run);
  try {
    const error = shownFailure(ended.node, failure);
    const edge = edgesOf(failure).find((one) => failEach(draft, expansion, one, error));
    if (edge === undefined) return undefined;
    settle(draft, { scope: expansion.scope });
    return [goneOn(draft, ended), ...conclude(draft, ended)];
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    return failNow(program, run, evaluationFailure(program, error, `behind \`${ended.node}\`: `));
  }
}

function goneOn({ flow, writes, patches }: FlowDraft, ended: EndedAttempt): RecordBody {
  return { ...ended, next: "go-on", flow, writes, patches };
}

function tooManyErrors(limit: Failure, { code, message }: Failure): Failure {
  return { ...limit, message: `${limit.message}, the last one ${code}: ${message}` };
}

function nameOf(program: Program, { node }: NodeRun): string {
  return program.nodes[node]?.ir.name ?? "";
}

/** Along the arrow that says where this failure leads, if there is one that holds. */
function follow(
  program: Program,
  snapshot: Snapshot,
  { run, failure, at }: { readonly run: NodeRun; readonly failure: Failure; readonly at: number },
): readonly RecordBody[] | undefined {
  const { outlet, group } = wayFor(program, run, failure);
  if (failure.class === "aborted" || (outlet ?? group) === undefined) return undefined;
  const ended = endedAttempt(program, run, failure);
  const draft = createDraft(program, snapshot, at);
  draft.snapshot.detours += 1;
  closeRun(draft.snapshot, run);
  const { frame, seq, scope, args, inbox } = run;
  try {
    const error = shownFailure(ended.node, failure);
    const from = { frame, seq, scope, inbox, error, ...(args === undefined ? {} : { args }) };
    const isAway = outlet !== undefined && depart(draft, { ...from, outlet });
    if (!isAway && (group === undefined || !failGroup(draft, from, group))) return undefined;
    settle(draft, { scope });
    return [goneOn(draft, ended), ...conclude(draft, ended)];
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    return failNow(program, run, evaluationFailure(program, error, `behind \`${ended.node}\`: `));
  }
}

/** A join that waits for a node, and says where a failure of any of its nodes leads. */
interface JoinGroup {
  readonly join: ProgramJoin;
  readonly source: number;
  readonly edge: FailureEdge;
}

function groupOf(program: Program, { node }: NodeRun, edge: FailureEdge): JoinGroup | undefined {
  for (const { join: index, source } of program.nodes[node]?.outlet.joins ?? []) {
    const join = program.joins[index];
    if (join?.failing[edge] !== undefined) return { join, source, edge };
  }
  return undefined;
}

/** The failed token stands for the group: the join goes on with it along its arrow for failures, once. */
function failGroup(
  draft: FlowDraft,
  from: FlowPosition,
  { join, source, edge }: JoinGroup,
): boolean {
  const { frame, seq, scope, error } = from;
  emit(draft, { op: "arrive", join: join.index, source, frame, seq, scope });
  return fireJoin(draft, must(draft.snapshot.scopes, scope, "scope"), join, { edge, error });
}

interface FlowPosition extends Pick<NodeRun, "frame" | "seq" | "scope"> {
  readonly error: ShownFailure;
}

/** Finds the arrow of a node, or of the join behind it, for a failure. */
function wayFor(program: Program, run: NodeRun, failure: Failure) {
  for (const edge of edgesOf(failure)) {
    const outlet = program.nodes[run.node]?.failing[edge];
    const group = groupOf(program, run, edge);
    if (outlet !== undefined || group !== undefined) return { outlet, group };
  }
  return { outlet: undefined, group: undefined };
}

/** The words of arrows that a failure may take; the first one that there is counts. */
function edgesOf(failure: Failure): readonly FailureEdge[] {
  switch (failure.class) {
    case "limit":
      return ["limit"];
    case "denied":
      return ["deny"];
    case "filter":
    case "refusal":
      return [failure.class, "error"];
    default:
      return ["error"];
  }
}

/** Ends the run with this failure, whatever the node's policies say. */
export function failNow(program: Program, run: NodeRun, failure: Failure): readonly RecordBody[] {
  const ended = endedAttempt(program, run, failure);
  const { id, node, attempt } = ended;
  return [{ ...ended, next: "fail" }, failRun(failure, { id, node, attempt })];
}

/** The end of an attempt, before it is known what follows. */
export function endedAttempt(program: Program, run: NodeRun, failure: Failure): EndedAttempt {
  return {
    kind: "attempt",
    id: run.id,
    node: program.nodes[run.node]?.ir.name ?? "",
    attempt: run.attempt,
    failure,
    usage: run.attemptUsage,
  };
}

interface Retry {
  readonly rule: number;
  readonly delayMs: number;
}

function retryOf(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  failure: Failure,
  retry: RetryIr | undefined,
): Retry | undefined {
  if (retry === undefined || !RETRIABLE.has(failure.class)) return undefined;
  const rule = retry.rules.findIndex(
    ({ on }) => on.length === 0 || on.includes(failure.class as RetryClass),
  );
  const found = retry.rules[rule];
  const used = run.retries[rule] ?? 0;
  if (found === undefined || used >= countOf(program, snapshot, found.count)) return undefined;
  const { from = 0, to = from * 2 ** used } = retry.backoffMs ?? {};
  const backoffMs = Math.min(from * 2 ** used, to);
  return { rule, delayMs: Math.max(backoffMs, failure.retryAfterMs ?? 0) };
}

const RETRIABLE: ReadonlySet<string> = new Set<RetryClass>([
  "transport",
  "model",
  "filter",
  "refusal",
  "invalid",
  "tool",
  "timeout",
]);

export type EndedAttempt = Omit<RecordBody & { readonly kind: "attempt" }, "next">;

/** Drops the item with all it has open; the `each` goes on without it. */
function skip(
  program: Program,
  snapshot: Snapshot,
  ended: EndedAttempt,
  { item, at }: { readonly item: number; readonly at: number },
): readonly RecordBody[] {
  const { expansion } = must(snapshot.scopes, item, "scope");
  const draft = createDraft(program, snapshot, at);
  try {
    emit(draft, { op: "item-skip", scope: item });
    settle(draft, { expansion });
    const end = conclude(draft, ended);
    const { flow, writes, patches } = draft;
    return [{ ...ended, next: "skip", flow, writes, patches }, ...end];
  } catch (error) {
    // What follows the `each` can't be worked out: then dropping the item did not help.
    if (!isOfTheState(error)) throw error;
    const { id, node, attempt } = ended;
    const failure = evaluationFailure(program, error, `behind \`${node}\`: `);
    return [{ ...ended, next: "fail" }, failRun(failure, { id, node, attempt })];
  }
}

// Makes the failure of a node run whose node is gone from the program.

/** No retry, limit or arrow of the text has a say in it. */
export function goneNodeFailure(node: string): Failure {
  return {
    class: "denied",
    code: DROPPED,
    message: `\`${node}\` is gone from the program, and what it had under way is dropped`,
    hint: "the run goes on behind it; calls that it has made stay made",
  };
}

function isGoneNodeFailure({ code }: Failure): boolean {
  return code === DROPPED;
}

const DROPPED = "M5315";

// Decides what follows a reached limit: a question, or the end of the node run or the run.

/** Asks whether to go on, or fails, when a node run reaches one of its limits or of the run's. */
export function reachLimit(
  program: Program,
  snapshot: Snapshot,
  { run, limit, at }: { readonly run: NodeRun; readonly limit: ReachedLimit; readonly at: number },
): readonly RecordBody[] {
  const asked = limitQuestion(program, snapshot, { run, limit, at });
  if (asked !== undefined) return asked;
  const failure = limitFailure(limit, program.nodes[run.node]?.ir.name ?? "");
  return limit.of === "run"
    ? failNow(program, run, failure)
    : failAttempt(program, snapshot, run, failure, at);
}
