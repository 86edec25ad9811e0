/** Decides what reaches a run from outside its attempts: its beginning, the verbs of people, answers to its questions. */

import type { RecordBody } from "../records/records.ts";
import { freezeJson } from "../state/json.ts";
import type { Completion, Control } from "./completion.ts";
import { assertArgumentFits, assertBeginningFits } from "./expressions/assert-fits.ts";
import { gathered } from "./expressions/calls.ts";
import { evaluate, evaluationFailure } from "./expressions/evaluate.ts";
import { isOfTheState } from "./expressions/evaluation-errors.ts";
import { readArgument, readBeginning } from "./expressions/written-messages.ts";
import { createDraft } from "./flow/flow-draft.ts";
import { depart } from "./flow/follow-routes.ts";
import {
  conclude,
  failRun,
  finish,
  isEnough,
  isFinished,
  settle,
  stepsEnd,
} from "./flow/settle.ts";
import { stuckFailure } from "./flow/used-up.ts";
import { applyRecord, foldIn } from "./fold.ts";
import { isUnshown } from "./frames.ts";
import { answerRecord, openInterrupt } from "./interrupts.ts";
import { rewindRecord } from "./interventions.ts";
import { type LimitName, limitFailure } from "./limits.ts";
import { lookupAt, ownMember } from "./lookup.ts";
import type { Program, ProgramField } from "./program/program.ts";
import { agreement, misfitOfPerson } from "./several-persons.ts";
import { ROOT, type Snapshot } from "./snapshot/snapshot.ts";

// Builds the first record of a run: its initial state, and where its tokens start.

export type BegunRun = Completion & { readonly kind: "begin" };

export function begin(
  program: Program,
  snapshot: Snapshot,
  begun: BegunRun,
): readonly RecordBody[] {
  const { input: given, kept, config, interception, at, isUntyped } = begun;
  const isTyped = isUntyped !== true;
  const also = {
    ...(isTyped ? { isTyped } : {}),
    ...(kept === undefined ? {} : { kept }),
    ...(config === undefined ? {} : { config }),
    ...(interception === undefined ? {} : { interception }),
  };
  const bare = { kind: "run", input: given, state: {}, flow: [], writes: [], patches: [] } as const;
  try {
    const before = { ...snapshot, isTyped, ...(config === undefined ? {} : { config }) };
    const input = { ...defaultsOf(program, before, given), ...given };
    const state = freezeJson(initialState(program, { ...before, input }, kept));
    return start(program, snapshot, { ...bare, input, ...also, ...state }, at);
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    const failure = evaluationFailure(program, error, "before the first node: ");
    return [{ ...bare, ...also }, failRun(failure, {})];
  }
}

function start(
  program: Program,
  snapshot: Snapshot,
  bare: RecordBody & { readonly kind: "run" },
  at: number,
): readonly RecordBody[] {
  const draft = createDraft(program, applyRecord(program, snapshot, bare, 0), at);
  depart(draft, { frame: ROOT, seq: -1, scope: ROOT, outlet: program.start });
  settle(draft, { scope: ROOT });
  const { flow, writes, patches } = draft;
  return [{ ...bare, flow, writes, patches }, ...conclude(draft, {})];
}

function defaultsOf(
  program: Program,
  snapshot: Snapshot,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const missing = program.ir.params.filter(({ name }) => ownMember(given, name) === undefined);
  const standpoint = { ...snapshot, input: given };
  return Object.fromEntries(
    missing.flatMap((param) => {
      const { name, default: expression } = param;
      if (expression === undefined) return [];
      const given = evaluateAtRoot(program, standpoint, expression);
      const value = readArgument(program.ir, param, { value: given, span: expression.span });
      const what = () => `the default of \`${name}\``;
      if (snapshot.isTyped)
        assertArgumentFits(program.ir, param, { what, value, span: expression.span });
      return [[name, value]];
    }),
  );
}

/** Returns the first values of fields: the kept ones, else their defaults. */
function initialState(
  program: Program,
  snapshot: Snapshot,
  kept: Readonly<Record<string, unknown>> = {},
): Pick<RecordBody & { readonly kind: "run" }, "state" | "agents"> {
  const begun = (field: ProgramField): unknown => {
    const { ir } = field;
    const before = ir.scope === "run" ? undefined : ownMember(kept, ir.name);
    if (before !== undefined || ir.default === undefined) return before;
    const given = evaluateAtRoot(program, snapshot, ir.default);
    const value = readBeginning(field, { value: given, span: ir.default.span });
    const what = () => `the default of \`${ir.name}\``;
    if (snapshot.isTyped)
      assertBeginningFits(program, field, { what, value, span: ir.default.span });
    return value;
  };
  const valuesOf = (fields: readonly ProgramField[]) =>
    Object.fromEntries(
      gathered(fields, (field) => [field.ir.name, begun(field)] as const).filter(
        ([, value]) => value !== undefined,
      ),
    );
  const own = program.fields.filter((field) => isUnshown(field));
  const state = valuesOf(program.fields.filter((field) => !isUnshown(field)));
  return own.length === 0 ? { state } : { state, agents: valuesOf(own) };
}

function evaluateAtRoot(
  program: Program,
  snapshot: Snapshot,
  expression: Parameters<typeof evaluate>[0],
): unknown {
  return evaluate(expression, lookupAt(program, snapshot, { frame: ROOT, scope: ROOT }));
}

// Decides the verbs on a whole run: pause, resume, abort, hold, release, rewind.

/** The records of a verb; none where the run is not in a state for it, so that each is as good twice as once. */
export function control(
  program: Program,
  snapshot: Snapshot,
  completion: Control,
): readonly RecordBody[] {
  if (!isPossible(snapshot, completion.verb)) return [];
  if (completion.verb === "rewind") return rewindRecord(snapshot, completion, foldIn(program));
  const { at, calls: _, ...record } = completion;
  const isContinuing = record.verb === "resume" || record.verb === "release";
  return isContinuing ? [record, ...endOf(program, snapshot, record, at)] : [record];
}

function isPossible({ status, held }: Snapshot, verb: Control["verb"]): boolean {
  switch (verb) {
    case "hold":
      return status === "running" || status === "waiting";
    case "release":
      return held;
    case "pause":
      return status === "running" || status === "waiting" || held;
    case "abort":
      return status === "running" || status === "paused" || status === "waiting";
    case "resume":
      // A log that ends while it runs is of a process that died.
      return status !== "succeeded";
    case "rewind":
      return status !== "created";
  }
}

/** The process may have died, or the run been rewound, between the last commit and the end that follows from it. */
function endOf(
  program: Program,
  snapshot: Snapshot,
  record: RecordBody,
  at: number,
): readonly RecordBody[] {
  const { stuck } = snapshot;
  if (stuck !== undefined) {
    const failure = snapshot.failure ?? stuckFailure(stuck);
    return [failRun(failure, stuck === "start" ? {} : { node: stuck })];
  }
  if (snapshot.blocked !== undefined) return [failRun(snapshot.blocked, {})];
  const { failure, ordinals } = snapshot;
  // It failed before its first node, and there is nothing it could go on with.
  if (failure !== undefined && ordinals.size === 0) return [failRun(failure, {})];
  const resumed = applyRecord(program, snapshot, record, at);
  try {
    if (isEnough(program, resumed)) return [finish(program, resumed)];
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    return [failRun(evaluationFailure(program, error, "`end when`: "), {})];
  }
  if (isFinished(program, resumed)) return [finish(program, resumed)];
  // Its steps are checked behind each commit, and nothing is committed here.
  return stepsEnd(program, resumed, at);
}

// Decides what follows from an answer or a judge's opinion: its record, and the end of a run whose limit was
// refused.

/** None where nobody waits for it any more: an answer counts once. A run that is held or paused keeps it. */
export function answerRecords(
  snapshot: Snapshot,
  { at, kind: _kind, ...completion }: Completion & { readonly kind: "answer" },
): readonly RecordBody[] {
  const question = openInterrupt(snapshot, completion);
  if (question === undefined || !LISTENING.includes(snapshot.status)) return [];
  const { answer, from, by, usage } = completion;
  const given = { answer, from, ...(by === undefined ? {} : { by }) };
  const isOfPerson = from === "person" || (from === "script" && answer.as !== undefined);
  // The first of two answers that one person gives at once counts.
  if (isOfPerson && misfitOfPerson(question, answer) !== undefined) return [];
  const agreed = isOfPerson ? agreement(question, given, at) : undefined;
  if (agreed !== undefined) return [agreed];
  const record = answerRecord(question, { ...given, ...(usage === undefined ? {} : { usage }) });
  if (question.whole !== true || answer.kind === "approve") return [record];
  // Also one that was reached in a node run ends all of it.
  return [record, failRun(limitFailure(question.limit as LimitName, "the run"), {})];
}

/** The record of a judge that decided nothing; none where nobody waits for it any more. */
export function opinionRecords(
  snapshot: Snapshot,
  { at: _, calls: __, sub: ___, ...opinion }: Completion & { readonly kind: "opinion" },
): readonly RecordBody[] {
  const question = openInterrupt(snapshot, opinion);
  if (question === undefined) return [];
  const { id, node, attempt } = question;
  return [{ ...opinion, id, node, attempt }];
}

const LISTENING: readonly Snapshot["status"][] = ["running", "waiting", "paused"];
