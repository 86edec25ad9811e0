/** Folds records of attempts: starts, outcomes of calls, failures. */

import type { OutcomeRecord } from "../../records/call-records.ts";
import type { AnswerRecord, OpinionRecord } from "../../records/question-records.ts";
import type { AttemptRecord, RecordBody, StartRecord } from "../../records/records.ts";
import { addUsage, chargeOf, noUsage } from "../../usage.ts";
import { sessionIn } from "../conversations.ts";
import { withoutOffer } from "../interrupts/interrupts.ts";
import { usingAt } from "../interventions/node-overrides.ts";
import { foundIn } from "../mail.ts";
import type { Program } from "../program/program.ts";
import {
  changeRun,
  clockedOut,
  closeRun,
  isWaiting,
  type SnapshotDraft,
} from "../snapshot/draft.ts";
import type { NodeRun } from "../snapshot/snapshot.ts";
import { applyFlow } from "./fold-commit.ts";

/** Starts an attempt, with the messages of its inbox. */
export function foldStart(
  draft: SnapshotDraft,
  { id, node, inbox = [] }: StartRecord,
  at: number,
): void {
  changeRun(draft, id, (run) => ({
    status: "running",
    runningSince: isWaiting(run) ? run.runningSince : at,
    // One that goes on has what it had.
    inbox: run.inbox ?? foundIn(draft, run.node, inbox),
    using: usingAt(draft, run, node),
  }));
}

/** A judge's model costs what any other does. */
export function chargeJudge(draft: SnapshotDraft, { usage }: AnswerRecord | OpinionRecord): void {
  if (usage !== undefined) draft.usage = addUsage(draft.usage, usage);
}

/** Every call counts, also one that failed and says nothing of what it used. */
export function charge(draft: SnapshotDraft, record: OutcomeRecord): void {
  const { id, effect, failure } = record;
  const counted = (before: number) =>
    effect === "tool" ? (failure === undefined ? 0 : before + 1) : before;
  const usage = chargeOf(record);
  const session = sessionIn(record);
  draft.errors = counted(draft.errors);
  draft.usage = addUsage(draft.usage, usage);
  changeRun(draft, id, (run) => ({
    errors: counted(run.errors),
    usage: addUsage(run.usage, usage),
    attemptUsage: addUsage(run.attemptUsage, usage),
    session: session ?? run.session,
  }));
}

/** Keeps the artifacts of a call until the commit. */
export function keepMade(draft: SnapshotDraft, { id, artifacts = [] }: OutcomeRecord): void {
  if (artifacts.length === 0) return;
  changeRun(draft, id, ({ made = [] }) => ({ made: [...made, ...artifacts] }));
}

/** Charges the usage of a called graph to its caller. */
export function chargeCalled(draft: SnapshotDraft, id: number, record: RecordBody): void {
  if (record.kind === "answer" || record.kind === "opinion") chargeJudge(draft, record);
  if (record.kind === "outcome") charge(draft, { ...record, id });
}

/** An attempt came to nothing: another one follows, or the run goes on without. */
export function endAttempt(
  program: Program,
  draft: SnapshotDraft,
  record: AttemptRecord,
  at: number,
): SnapshotDraft {
  const since = draft.open.get(record.id)?.runningSince ?? at;
  draft.errors += 1;
  changeRun(draft, record.id, (run) => ({
    ...withoutOffer(clockedOut(run, at)),
    errors: run.errors + 1,
    attemptUsage: noUsage,
  }));
  switch (record.next) {
    case "repair":
      changeRun(draft, record.id, (run) => ({
        ...again(record, "repair"),
        repairs: run.repairs + (record.revised === true ? 0 : 1),
        feedback: record.failure.feedback ?? record.failure.message,
      }));
      return draft;
    case "retry":
      changeRun(draft, record.id, (run) => ({
        ...again(record, "retry"),
        sessionFrom: record.attempt + 1,
        inbox: undefined,
        made: undefined,
        repairs: 0,
        retries: {
          ...run.retries,
          [record.rule ?? 0]: (run.retries[record.rule ?? 0] ?? 0) + 1,
        },
      }));
      return draft;
    case "again":
      changeRun(draft, record.id, (run) => ({
        ...again(record, "retry"),
        sessionFrom: record.attempt + 1,
        repairs: 0,
        retries: {},
        sentinel: {
          first: run.id,
          since,
          ...run.sentinel,
          errors: record.errors ?? 0,
          reason: record.failure.message,
        },
      }));
      return draft;
    case "fail":
      changeRun(draft, record.id, () => ({ status: "stopped" }));
      return draft;
    case "go-on":
      followFailureArrow(program, draft, record);
      return draft;
    case "skip":
      applyFlow(program, draft, record.flow ?? [], record.writes ?? []);
      return draft;
  }
}

/** It ended, and an arrow says where that leads. */
function followFailureArrow(program: Program, draft: SnapshotDraft, record: AttemptRecord): void {
  const run = draft.open.get(record.id);
  if (run !== undefined) closeRun(draft, run);
  draft.detours += 1;
  applyFlow(program, draft, record.flow ?? [], record.writes ?? []);
}

function again(record: AttemptRecord, reason: "retry" | "repair"): Partial<NodeRun> {
  return {
    status: "ready",
    attempt: record.attempt + 1,
    reason,
    ...(record.notBefore === undefined ? {} : { notBefore: record.notBefore }),
  };
}
