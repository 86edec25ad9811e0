/** Folds records into a snapshot: how a log becomes a position again, and the last step of `advance`. */

import type { OutcomeRecord } from "../records/call-records.ts";
import type { ControlRecord, HoldRecord, RewindRecord } from "../records/control-records.ts";
import {
  type AnswerRecord,
  type AttemptRecord,
  type CommitRecord,
  type EndRecord,
  innermost,
  type LogRecord,
  type OpinionRecord,
  type RecordBody,
  type RunRecord,
  type StartRecord,
} from "../records/records.ts";
import { addUsage, chargeOf, noUsage } from "../usage.ts";
import { applySub, closeCalled, foldModify, followByChildren } from "./called-snapshots.ts";
import { keepSession, keepTalk, sessionIn } from "./conversations.ts";
import { KnownCalls } from "./expressions/calls.ts";
import { applyWrite, foldRoot } from "./flow/apply-flow-op.ts";
import { applyFlow, frameWrite } from "./flow/flow-draft.ts";
import { isUnshown } from "./frames.ts";
import {
  foldAnswer,
  foldInterrupt,
  updateWaiting,
  withoutInterrupts,
  withoutOffer,
} from "./interrupts.ts";
import {
  foldBranch,
  foldEdit,
  foldRewind,
  foldUse,
  restartNodeRun,
  usingAt,
} from "./interventions.ts";
import { noteCommit } from "./limits.ts";
import { addArtifacts } from "./lookup.ts";
import { foundIn, send, takeRead } from "./mail.ts";
import { begunValue } from "./program/numbering.ts";
import type { Program } from "./program/program.ts";
import {
  asDraft,
  changeRun,
  clockedIn,
  clockedOut,
  closeRun,
  draftOf,
  isWaiting,
  type SnapshotDraft,
  updateSleep,
} from "./snapshot/draft.ts";
import {
  emptySnapshot,
  type Fold,
  type NodeRun,
  ROOT,
  type Snapshot,
} from "./snapshot/snapshot.ts";
import { foldHeardSteers, foldSteer } from "./steers.ts";
import { noteVisit } from "./visits.ts";

export function foldLog(program: Program, records: readonly LogRecord[]): Snapshot {
  return records.reduce(
    (snapshot, record) => applyRecord(program, snapshot, record, record.at),
    emptySnapshot(),
  );
}

/** Folds a record as it stands in the log: with its own results of functions, and no others. */
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

/** Adds the record to the trail of a draft that nothing else refers to yet. */
export function noteInTrail(draft: SnapshotDraft, record: RecordBody, at: number): Snapshot {
  draft.trail = draft.trail.noted(record, at);
  return draft;
}

/** Returns the function that folds the records of a trail. */
export function foldIn(program: Program): Fold {
  return (snapshot, record, at) => applyRecord(program, snapshot, record, at);
}

/** Folds a record with the results of functions that the program has. */
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

/**
 * Folds a record of a called graph, which has no steering messages: those wait in the run itself.
 */
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
      noteCalling(draft, record.id, `${record.call}`, record.estimateUsd);
      return draft;
    case "outcome":
      noteCalling(draft, record.id, `${record.call}`, undefined);
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

/** Sets the status of a draft behind any record: whether the run waits or sleeps. */
function updateStatus(program: Program, draft: SnapshotDraft, at: number): SnapshotDraft {
  updateWaiting(draft, at);
  updateSleep(program, draft, at);
  draft.lastAt = at;
  return draft;
}

function begin(program: Program, draft: SnapshotDraft, record: RunRecord, at: number): void {
  const { input, config, interception, state, agents = {}, isTyped = false } = record;
  draft.input = input;
  draft.isTyped = isTyped;
  if (config !== undefined) draft.config = config;
  draft.afterRun = interception?.afterRun;
  draft.status = "running";
  draft.runningSince = at;
  for (const field of program.fields) {
    const isOwn = isUnshown(field);
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

// Folds records of attempts: starts, outcomes of calls, failures.

/** Starts an attempt, with the messages of its inbox. */
function foldStart(
  draft: SnapshotDraft,
  { id, node, inbox = NO_INBOX }: StartRecord,
  at: number,
): void {
  const run = draft.open.get(id);
  if (run === undefined) return;
  // Copied once: this is done for each attempt.
  draft.open = draft.open.set(id, {
    ...run,
    status: "running",
    runningSince: isWaiting(run) ? run.runningSince : at,
    // One that goes on has what it had.
    inbox: run.inbox ?? foundIn(draft, run.node, inbox),
    using: usingAt(draft, run, node),
  });
}

const NO_INBOX: readonly never[] = [];

/** A judge's model costs what any other does. */
function chargeJudge(draft: SnapshotDraft, { usage }: AnswerRecord | OpinionRecord): void {
  if (usage !== undefined) draft.usage = addUsage(draft.usage, usage);
}

/** Keeps what a call is taken to cost while it is under way. */
function noteCalling(
  draft: SnapshotDraft,
  id: number,
  call: string,
  usd: number | undefined,
): void {
  const before = draft.open.get(id)?.calling;
  if (usd === undefined && before?.[call] === undefined) return;
  changeRun(draft, id, ({ calling = {} }) => {
    const { [call]: _, ...others } = calling;
    return { calling: usd === undefined ? others : { ...others, [call]: usd } };
  });
}

/** Forgets the calls of an attempt within a called graph: those without an outcome are under way no more. */
function dropCalling(draft: SnapshotDraft, id: number, prefix: string): void {
  const { calling } = draft.open.get(id) ?? {};
  if (calling === undefined) return;
  const left = Object.entries(calling).filter(([call]) => !call.startsWith(prefix));
  changeRun(draft, id, () => ({ calling: Object.fromEntries(left) }));
}

/** Every call counts, also one that failed and says nothing of what it used. */
function charge(draft: SnapshotDraft, record: OutcomeRecord): void {
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
function keepMade(draft: SnapshotDraft, { id, artifacts = [] }: OutcomeRecord): void {
  if (artifacts.length === 0) return;
  changeRun(draft, id, ({ made = [] }) => ({ made: [...made, ...artifacts] }));
}

/** Charges the usage of a called graph to its caller. */
function chargeCalled(draft: SnapshotDraft, id: number, record: RecordBody): void {
  if (record.kind === "answer" || record.kind === "opinion") chargeJudge(draft, record);
  if (record.kind === "intent" || record.kind === "outcome") {
    const usd = record.kind === "intent" ? record.estimateUsd : undefined;
    noteCalling(draft, id, `${record.id}.${record.call}`, usd);
  }
  if (record.kind === "attempt") dropCalling(draft, id, `${record.id}.`);
  if (record.kind === "outcome") charge(draft, { ...record, id });
}

/** An attempt came to nothing: another one follows, or the run goes on without. */
function endAttempt(
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
    calling: undefined,
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

// Folds a commit.

/** The one commit point: writes, route and messages become true at once. */
function foldCommit(program: Program, draft: SnapshotDraft, record: CommitRecord): void {
  const before = draft.open;
  const run = before.get(record.id);
  if (run === undefined)
    throw new Error(`M9000: commit of node run ${record.id}, which is not open`);
  const by = { frame: run.frame, seq: run.seq, scope: run.scope, node: run.node };
  draft.steps = record.step;
  draft.errors = 0;
  for (const write of record.writes.slice(0, record.ownWrites)) {
    applyWrite(program, draft, by.frame, frameWrite(program, draft, by, write));
  }
  keepSession(program, draft, run);
  closeRun(draft, run);
  keepTalk(program, draft, run);
  takeRead(program, draft, run, record.read);
  noteCommit(program, draft, run);
  noteVisit(program, draft, run);
  applyFlow(program, draft, record.flow, record.writes.slice(record.ownWrites));
  send(draft, run, record.messages);
  addArtifacts(draft, record.artifacts);
  draft.isStep = true;
}

// Folds the verbs of people: holds, pauses, aborts, resumes.

/** A run is held, let go, rewound, paused, ended or resumed. */
function foldControl(
  snapshot: Snapshot,
  record: ControlRecord | HoldRecord | RewindRecord,
  { at, fold }: { readonly at: number; readonly fold: Fold },
): Snapshot {
  switch (record.verb) {
    case "hold":
      return hold(snapshot, record.reason ?? "user", at);
    case "release":
      return release(snapshot, at);
    case "rewind":
      // As for a resume: a run that seems to run lost its process.
      return foldRewind(clockedOut(snapshot, snapshot.lastAt), record, fold);
    default:
      return stopOrGo(snapshot, record, at);
  }
}

/** Holds the run: attempts that are under way continue, but neither they nor the run spend time. */
function hold(snapshot: Snapshot, reason: string, at: number): Snapshot {
  const open = changeRunning(snapshot, (run) => clockedOut(run, at));
  return { ...clockedOut(snapshot, at), open, status: "paused", held: true, reason };
}

function release(snapshot: Snapshot, at: number): Snapshot {
  const open = changeRunning(snapshot, (run) => clockedIn(run, at));
  return { ...snapshot, open, status: "running", held: false, reason: "", runningSince: at };
}

function changeRunning({ open }: Snapshot, change: (run: NodeRun) => NodeRun): Snapshot["open"] {
  let changed = open;
  for (const run of open.values()) {
    if (run.status === "running") changed = changed.set(run.id, change(run));
  }
  return changed;
}

function stopOrGo(snapshot: Snapshot, record: ControlRecord, at: number): Snapshot {
  // A run that is resumed while it seems to run lost its process; what came after its last record is no running time.
  const until = record.verb === "resume" ? snapshot.lastAt : at;
  const asking = record.verb === "abort" ? withoutInterrupts(snapshot) : snapshot;
  const stopped = { ...clockedOut(asking, until), ...stopAll(asking, until), held: false };
  switch (record.verb) {
    case "pause":
      return { ...stopped, status: "paused", reason: record.reason ?? "user" };
    case "abort":
      return { ...stopped, status: "aborted", reason: record.reason ?? "user" };
    case "resume":
      return {
        ...stopped,
        failure: undefined,
        output: undefined,
        // A process that died or was stopped is no reason to count anew; who resumes behind the limit goes past it.
        errors: isOver(snapshot) ? 0 : snapshot.errors,
        status: "running",
        reason: "",
        runningSince: at,
      };
  }
}

function isOver({ status }: Snapshot): boolean {
  return status === "failed" || status === "aborted";
}

/** Everything that ran goes back to where it can start again, its journal kept; what failed starts anew. */
function stopAll(snapshot: Snapshot, at: number): Pick<Snapshot, "open"> {
  let { open } = stopRunning(snapshot, at);
  for (const stopped of open.values()) {
    // Whoever held it is gone with the process, or wants the run to stop.
    const run = stopped.isHeld === true ? { ...stopped, isHeld: undefined } : stopped;
    if (run.status === "stopped") open = open.set(run.id, restartNodeRun(run));
    else if (run !== stopped) open = open.set(run.id, run);
  }
  return { open };
}

/** Makes all running node runs ready to start again. */
function stopRunning(snapshot: Snapshot, at: number): Pick<Snapshot, "open"> {
  const stopped = (run: NodeRun): NodeRun => ({
    ...clockedOut(run, at),
    status: isWaiting(run) ? "waiting" : "ready",
  });
  return { open: changeRunning(snapshot, stopped) };
}

/** A run is over: what its lines wrote is in its state, and nobody is asked any more. */
function foldEnd(
  program: Program,
  snapshot: Snapshot,
  record: EndRecord,
  { at, fold }: { readonly at: number; readonly fold: Fold },
): Snapshot {
  const { status, reason, failure, output } = record;
  const asked = withoutInterrupts(snapshot);
  const folded = status === "succeeded" ? foldRoot(program, asked).snapshot : asked;
  // What ran beside a failure starts again when the run is resumed; the failed node run itself stays stopped.
  const stopped = { ...folded, ...stopRunning(folded, at) };
  return {
    ...clockedOut(stopped, at),
    status,
    reason,
    ...(failure === undefined ? {} : { failure }),
    ...(output === undefined ? {} : { output }),
    ...(failure?.limit === "max" ? stuckAt(stopped, record.node ?? "start", fold) : {}),
  };
}

/** The last step led nowhere, and does so again however often the run is resumed or rewound to it. */
function stuckAt(
  { trail }: Snapshot,
  stuck: string,
  fold: Fold,
): Pick<Snapshot, "stuck" | "trail"> {
  return { stuck, trail: trail.with({ stuck }, fold) };
}
