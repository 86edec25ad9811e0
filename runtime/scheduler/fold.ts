/** Folds records into a snapshot: how a log becomes a position again, and the last step of `advance`. */

import type { ControlRecord } from "../records/control-records.ts";
import type { LogRecord, RecordBody } from "../records.ts";
import type { Patch } from "../state/patch.ts";
import { innermost } from "../sub-record.ts";
import { addUsage, chargeOf, noUsage } from "../usage.ts";
import { anew } from "./anew.ts";
import { applyOp, applyWrite } from "./apply.ts";
import { addArtifacts } from "./artifacts.ts";
import { KnownCalls } from "./calls.ts";
import { applySub, closeCalled, followByChildren, modified } from "./children.ts";
import { clockedIn, clockedOut, isWaiting } from "./clocks.ts";
import { takeHome } from "./detached.ts";
import { asDraft, draftOf, type SnapshotDraft } from "./draft.ts";
import { edited } from "./edit.ts";
import { frameWrite } from "./flow-draft.ts";
import type { FlowOp } from "./flow-op.ts";
import { noteCommit } from "./idle.ts";
import { answered, opened, stand, withoutInterrupts, withoutOffer } from "./interrupts.ts";
import { foundIn, send, takeRead } from "./mail.ts";
import type { Program } from "./program.ts";
import { rewound } from "./rewind.ts";
import { closeRun } from "./scopes.ts";
import { keepSession, sessionIn } from "./sessions.ts";
import { rest } from "./sleep.ts";
import { emptySnapshot, type NodeRun, ROOT, type Snapshot } from "./snapshot.ts";
import { hear, steered } from "./steers.ts";
import { keepTalk } from "./talks.ts";
import { used, usingAt } from "./use.ts";

export function foldLog(program: Program, records: readonly LogRecord[]): Snapshot {
  return records.reduce(
    (snapshot, record) => applyRecord(program, snapshot, record, record.at),
    emptySnapshot(),
  );
}

/** With the record's own results of functions, and no others. */
export function applyRecord(
  program: Program,
  snapshot: Snapshot,
  record: RecordBody,
  at: number,
): Snapshot {
  const { calls } = record;
  if (calls === undefined && program.functions === undefined)
    return foldRecord(program, snapshot, record, at);
  const functions = new KnownCalls(calls ?? []);
  return foldRecord({ ...program, functions }, snapshot, record, at);
}

/** With whatever results the program has. */
export function foldRecord(
  program: Program,
  snapshot: Snapshot,
  record: RecordBody,
  at: number,
): Snapshot {
  const draft = apply(program, draftOf(snapshot), record, at);
  hear(draft, record);
  followByChildren(snapshot, draft, record, { program, at, apply: foldRecord });
  return settled(program, draft, at);
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
      start(draft, record, at);
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
      commit(program, draft, record);
      return draft;
    case "use":
      return asDraft(used(program, draft, record));
    case "steer":
      return asDraft(steered(draft, record));
    case "edit":
      return asDraft(edited(program, draft, record));
    case "interrupt":
      return asDraft(opened(draft, record, at));
    case "answer":
      chargeJudge(draft, record);
      return asDraft(answered(program, draft, record, at));
    case "opinion":
      chargeJudge(draft, record);
      return draft;
    case "item":
      if (record.flow === undefined) changeRun(draft, record.id, () => ({ status: "stopped" }));
      else applyFlow(program, draft, record.flow, record.writes);
      return draft;
    case "control":
      return asDraft(control(draft, record, at));
    case "modify":
      return asDraft(modified(draft, record));
    case "sub":
      applySub(draft, record, { program, at, apply: foldRecord });
      chargeCalled(draft, record.id, innermost(record));
      return draft;
    case "end":
      return asDraft(end(program, draft, record, at));
  }
}

/** The snapshot behind a commit's record, given what its draft came to. */
export function committed(program: Program, { before, draft, record, at }: Committed): Snapshot {
  hear(draft, record);
  closeCalled(before, draft);
  draft.isStep = true;
  return settled(program, draft, at);
}

interface Committed {
  readonly before: Snapshot;
  readonly draft: SnapshotDraft;
  readonly record: RecordBody;
  readonly at: number;
}

/** What is left to say of a draft behind any record: whether the run waits or sleeps. */
function settled(program: Program, draft: SnapshotDraft, at: number): Snapshot {
  stand(draft, at);
  rest(program, draft, at);
  draft.lastAt = at;
  return draft;
}

type Body<K extends RecordBody["kind"]> = RecordBody & { readonly kind: K };

function begin(program: Program, draft: SnapshotDraft, record: Body<"run">, at: number): void {
  const { input, config, state, agents = {} } = record;
  draft.input = input;
  if (config !== undefined) draft.config = config;
  draft.status = "running";
  draft.runningSince = at;
  for (const field of program.fields) {
    const isOwn = field.ir.scope === "agent";
    const value = (isOwn ? agents : state)[field.ir.name];
    const root = draft.frames.get(ROOT);
    if (value === undefined || root === undefined) continue;
    if (!isOwn) draft.shown = draft.shown.set(field.index, { value });
    const view = root.view.set(field.index, value);
    draft.frames = draft.frames.set(ROOT, { ...root, view });
  }
  applyFlow(program, draft, record.flow, record.writes);
  draft.isStep = true;
}

function start(draft: SnapshotDraft, { id, node, inbox = [] }: Body<"start">, at: number): void {
  changeRun(draft, id, (run) => ({
    status: "running",
    runningSince: isWaiting(run) ? run.runningSince : at,
    // One that goes on has what it had.
    inbox: run.inbox ?? foundIn(draft, run.node, inbox),
    using: usingAt(draft, run, node),
  }));
}

/** A judge's model costs what any other does. */
function chargeJudge(draft: SnapshotDraft, { usage }: Body<"answer" | "opinion">): void {
  if (usage !== undefined) draft.usage = addUsage(draft.usage, usage);
}

/** Every call counts, also one that failed and says nothing of what it used. */
function charge(draft: SnapshotDraft, record: Body<"outcome">): void {
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

function keepMade(draft: SnapshotDraft, { id, artifacts = [] }: Body<"outcome">): void {
  if (artifacts.length === 0) return;
  changeRun(draft, id, ({ made = [] }) => ({ made: [...made, ...artifacts] }));
}

/** What a called graph spends, its caller spends. */
function chargeCalled(draft: SnapshotDraft, id: number, record: RecordBody): void {
  if (record.kind === "answer" || record.kind === "opinion") chargeJudge(draft, record);
  if (record.kind === "outcome") charge(draft, { ...record, id });
}

function endAttempt(
  program: Program,
  draft: SnapshotDraft,
  record: Body<"attempt">,
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
      goOn(program, draft, record);
      return draft;
    case "skip":
      applyFlow(program, draft, record.flow ?? [], record.writes ?? []);
      return draft;
  }
}

/** It ended, and an arrow says where that leads. */
function goOn(program: Program, draft: SnapshotDraft, record: Body<"attempt">): void {
  const run = draft.open.get(record.id);
  if (run !== undefined) closeRun(draft, run);
  draft.detours += 1;
  applyFlow(program, draft, record.flow ?? [], record.writes ?? []);
}

function again(record: Body<"attempt">, reason: "retry" | "repair"): Partial<NodeRun> {
  return {
    status: "ready",
    attempt: record.attempt + 1,
    reason,
    ...(record.notBefore === undefined ? {} : { notBefore: record.notBefore }),
  };
}

function commit(program: Program, draft: SnapshotDraft, record: Body<"commit">): void {
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
  applyFlow(program, draft, record.flow, record.writes.slice(record.ownWrites));
  send(draft, run, record.messages);
  addArtifacts(draft, record.artifacts);
  draft.isStep = true;
}

/** Flow operations with the writes of their routes between them, as they were made. */
function applyFlow(
  program: Program,
  draft: SnapshotDraft,
  flow: readonly FlowOp[],
  writes: readonly Body<"commit">["writes"][number][],
): void {
  let at = 0;
  for (const op of flow) {
    if (op.op !== "write") {
      applyOp(program, draft, op);
      continue;
    }
    const logged = writes[at];
    at += 1;
    if (logged === undefined) throw new Error("M9000: a route's write is missing in the log");
    const by = { frame: op.frame, seq: op.seq };
    applyWrite(program, draft, op.frame, frameWrite(program, draft, by, logged));
  }
}

function control(snapshot: Snapshot, record: Body<"control">, at: number): Snapshot {
  switch (record.verb) {
    case "hold":
      return hold(snapshot, record.reason ?? "user", at);
    case "release":
      return release(snapshot, at);
    case "rewind":
      // As for a resume: a run that seems to run lost its process.
      return rewound(clockedOut(snapshot, snapshot.lastAt), record);
    default:
      return stopOrGo(snapshot, record, at);
  }
}

/** What runs goes on running, but neither it nor the run spends time. */
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
  for (const run of snapshot.open.values()) {
    if (run.status === "stopped") open = open.set(run.id, anew(run));
  }
  return { open };
}

function stopRunning(snapshot: Snapshot, at: number): Pick<Snapshot, "open"> {
  const stopped = (run: NodeRun): NodeRun => ({
    ...clockedOut(run, at),
    status: isWaiting(run) ? "waiting" : "ready",
  });
  return { open: changeRunning(snapshot, stopped) };
}

function end(program: Program, snapshot: Snapshot, record: Body<"end">, at: number): Snapshot {
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
    ...(failure?.limit === "max" ? stuckAt(stopped, record.node ?? "start") : {}),
  };
}

/** The last step led nowhere, and does so again however often the run is resumed or rewound to it. */
function stuckAt({ trail }: Snapshot, stuck: string): Pick<Snapshot, "stuck" | "trail"> {
  return { stuck, trail: trail.with({ stuck }) };
}

/** Writes of lines that ended without a join become part of the final state, in the order of the graph. */
export function foldRoot(
  program: Program,
  snapshot: Snapshot,
): { readonly snapshot: SnapshotDraft; readonly patches: readonly Patch[] } {
  const draft = draftOf(snapshot);
  takeHome(draft);
  const patches = applyOp(program, draft, { op: "fold", frames: [], line: ROOT, into: ROOT });
  return { snapshot: draft, patches };
}

function changeRun(
  draft: SnapshotDraft,
  id: number,
  change: (run: NodeRun) => Partial<NodeRun>,
): void {
  const run = draft.open.get(id);
  if (run !== undefined) draft.open = draft.open.set(id, { ...run, ...change(run) });
}
