/** Folds records into a snapshot: how a log becomes a position again, and the last step of `advance`. */
import type { LogRecord, RecordBody, RunRecord } from "../../records/records.ts";
import { innermost } from "../../records/sub-record.ts";
import {
  applySub,
  closeCalled,
  foldModify,
  followByChildren,
} from "../called-graphs/fold-called-graphs.ts";
import { KnownCalls } from "../expressions/calls.ts";
import { foldAnswer, foldInterrupt, updateWaiting } from "../interrupts/interrupts.ts";
import { foldEdit } from "../interventions/edit.ts";
import { foldBranch } from "../interventions/held-branches.ts";
import { foldUse } from "../interventions/node-overrides.ts";
import { foldHeardSteers, foldSteer } from "../messages/steering.ts";
import { begunValue } from "../program/numbering.ts";
import type { Program } from "../program/program.ts";
import { asDraft, changeRun, draftOf, type SnapshotDraft, updateSleep } from "../snapshot/draft.ts";
import { emptySnapshot, type Fold, ROOT, type Snapshot } from "../snapshot/snapshot.ts";
import {
  charge,
  chargeCalled,
  chargeJudge,
  endAttempt,
  foldStart,
  keepMade,
} from "./fold-attempt.ts";
import { applyFlow, foldCommit } from "./fold-commit.ts";
import { foldControl } from "./fold-control.ts";
import { foldEnd } from "./fold-end.ts";

export function foldLog(program: Program, records: readonly LogRecord[]): Snapshot {
  return records.reduce(
    (snapshot, record) => applyRecord(program, snapshot, record, record.at),
    emptySnapshot(),
  );
}

/** With the record's own results of functions, and no others: the record as it stands in the log. */
export function applyRecord(
  program: Program,
  snapshot: Snapshot,
  record: RecordBody,
  at: number,
): Snapshot {
  const { calls } = record;
  if (calls === undefined && program.functions === undefined)
    return noteInTrail(foldRecord(program, snapshot, record, at), record, at);
  const functions = new KnownCalls(calls ?? []);
  return noteInTrail(foldRecord({ ...program, functions }, snapshot, record, at), record, at);
}

/** With the record among those that its trail leads over; of a draft that nobody else has yet. */
export function noteInTrail(draft: SnapshotDraft, record: RecordBody, at: number): Snapshot {
  draft.trail = draft.trail.noted(record, at);
  return draft;
}

/** Returns the function that folds the records of a trail. */
export function foldIn(program: Program): Fold {
  return (snapshot, record, at) => applyRecord(program, snapshot, record, at);
}

/** With whatever results the program has. */
export function foldRecord(
  program: Program,
  snapshot: Snapshot,
  record: RecordBody,
  at: number,
): SnapshotDraft {
  const draft = foldCalled(program, snapshot, record, at);
  foldHeardSteers(draft, record);
  return draft;
}

/** Of a called graph this is all: what people said waits in the run itself, so there is nothing to hear. */
function foldCalled(
  program: Program,
  snapshot: Snapshot,
  record: RecordBody,
  at: number,
): SnapshotDraft {
  const draft = apply(program, draftOf(snapshot), record, at);
  followByChildren(snapshot, draft, record, { program, at, apply: foldCalled });
  return updateStatus(program, draft, at);
}

function apply(
  program: Program,
  draft: SnapshotDraft,
  record: RecordBody,
  at: number,
): SnapshotDraft {
  switch (record.kind) {
    case "run":
      begin(program, draft, record, at);
      return draft;
    case "start":
      foldStart(draft, record, at);
      return draft;
    case "intent":
      return draft;
    case "outcome":
      charge(draft, record);
      keepMade(draft, record);
      return draft;
    case "attempt":
      return endAttempt(program, draft, record, at);
    case "commit":
      foldCommit(program, draft, record);
      return draft;
    case "use":
      return asDraft(foldUse(program, draft, record));
    case "steer":
      return asDraft(foldSteer(draft, record));
    case "edit":
      return asDraft(foldEdit(program, draft, record));
    case "interrupt":
      return asDraft(foldInterrupt(draft, record, at));
    case "answer":
      chargeJudge(draft, record);
      return asDraft(foldAnswer(program, draft, record, at));
    case "opinion":
      chargeJudge(draft, record);
      return draft;
    case "item":
      if (record.flow === undefined) changeRun(draft, record.id, () => ({ status: "stopped" }));
      else applyFlow(program, draft, record.flow, record.writes);
      return draft;
    case "control":
      return asDraft(foldControl(draft, record, { at, fold: foldIn(program) }));
    case "branch":
      foldBranch(draft, record, at);
      return draft;
    case "modify":
      return asDraft(foldModify(draft, record));
    case "sub":
      applySub(draft, record, { program, at, apply: foldCalled });
      chargeCalled(draft, record.id, innermost(record));
      return draft;
    case "end":
      return asDraft(foldEnd(program, draft, record, { at, fold: foldIn(program) }));
  }
}

/** The snapshot behind a commit's record, given what its draft came to. */
export function foldDecidedCommit(
  program: Program,
  { before, draft, record, at }: CommittedRun,
): SnapshotDraft {
  foldHeardSteers(draft, record);
  closeCalled(before, draft);
  draft.isStep = true;
  return updateStatus(program, draft, at);
}

interface CommittedRun {
  readonly before: Snapshot;
  readonly draft: SnapshotDraft;
  readonly record: RecordBody;
  readonly at: number;
}

/** What is left to say of a draft behind any record: whether the run waits or sleeps. */
function updateStatus(program: Program, draft: SnapshotDraft, at: number): SnapshotDraft {
  updateWaiting(draft, at);
  updateSleep(program, draft, at);
  draft.lastAt = at;
  return draft;
}

function begin(program: Program, draft: SnapshotDraft, record: RunRecord, at: number): void {
  const { input, config, state, agents = {}, isTyped = false } = record;
  draft.input = input;
  draft.isTyped = isTyped;
  if (config !== undefined) draft.config = config;
  draft.status = "running";
  draft.runningSince = at;
  for (const field of program.fields) {
    const isOwn = field.ir.scope === "agent";
    const value = begunValue(program.ir, field.ir, isOwn ? agents : state);
    const root = draft.frames.get(ROOT);
    if (value === undefined || root === undefined) continue;
    if (!isOwn) draft.shown = draft.shown.set(field.index, { value });
    const view = root.view.set(field.index, value);
    draft.frames = draft.frames.set(ROOT, { ...root, view });
  }
  applyFlow(program, draft, record.flow, record.writes);
  draft.isStep = true;
}
