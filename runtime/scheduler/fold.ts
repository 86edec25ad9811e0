/** Folds records into a snapshot: how a log becomes a position again, and the last step of `advance`. */

import type { ControlRecord, LogRecord, RecordBody } from "../records.ts";
import type { Patch } from "../state/patch.ts";
import { innermost } from "../sub-record.ts";
import { addUsage, chargeOf, noUsage } from "../usage.ts";
import { anew } from "./anew.ts";
import { applyOp, applyWrites } from "./apply.ts";
import { withArtifacts } from "./artifacts.ts";
import { KnownCalls } from "./calls.ts";
import { applySub, followedByChildren, modified, withoutClosed } from "./children.ts";
import { clockedIn, clockedOut, isWaiting } from "./clocks.ts";
import { withDetached } from "./detached.ts";
import { edited } from "./edit.ts";
import { frameWrite } from "./flow.ts";
import type { FlowOp } from "./flow-op.ts";
import { noteCommit } from "./idle.ts";
import { answered, opened, standing, withoutInterrupts, withoutOffer } from "./interrupts.ts";
import { foundIn, withRead, withSent } from "./mail.ts";
import type { Program } from "./program.ts";
import { rewound } from "./rewind.ts";
import { closeRun } from "./scopes.ts";
import { keepSession, sessionIn } from "./sessions.ts";
import { rested } from "./sleep.ts";
import { emptySnapshot, type NodeRun, ROOT, type Snapshot, Trail } from "./snapshot.ts";
import { afterHearing, steered } from "./steers.ts";
import { withTalk } from "./talks.ts";
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
  const next = afterHearing(apply(program, snapshot, record, at), record);
  const followed = followedByChildren(snapshot, next, record, { program, at, apply: foldRecord });
  return { ...rested(program, standing(followed, at), at), lastAt: at };
}

function apply(program: Program, snapshot: Snapshot, record: RecordBody, at: number): Snapshot {
  switch (record.kind) {
    case "run":
      return marked(begin(program, snapshot, record, at));
    case "start":
      return changeRun(snapshot, record.id, (run) => ({
        ...clockedIn({ ...run, status: "running" as const }, at),
        // One that goes on has what it had.
        inbox: run.inbox ?? foundIn(snapshot, run.node, record.inbox ?? []),
        ...usingAt(snapshot, run, record.node),
      }));
    case "intent":
      return snapshot;
    case "outcome":
      return withMade(charge(snapshot, record), record);
    case "attempt":
      return endAttempt(program, snapshot, record, at);
    case "commit":
      return marked(withoutClosed(snapshot, commit(program, snapshot, record)));
    case "use":
      return used(snapshot, record);
    case "steer":
      return steered(snapshot, record);
    case "edit":
      return edited(program, snapshot, record);
    case "interrupt":
      return opened(snapshot, record, at);
    case "answer":
      return answered(program, chargeJudge(snapshot, record), record, at);
    case "item":
      return record.flow === undefined
        ? changeRun(snapshot, record.id, () => ({ status: "stopped" }))
        : applyFlow(program, snapshot, record.flow, record.writes);
    case "control":
      return control(snapshot, record, at);
    case "modify":
      return modified(snapshot, record);
    case "sub":
      return charged(
        applySub(snapshot, record, { program, at, apply: foldRecord }),
        record.id,
        innermost(record),
      );
    case "end":
      return end(program, snapshot, record, at);
  }
}

/** The snapshot behind a commit's record, given what its draft came to. */
export function committed(
  program: Program,
  {
    before,
    draft,
    at,
  }: { readonly before: Snapshot; readonly draft: Snapshot; readonly at: number },
): Snapshot {
  const next = standing(marked(withoutClosed(before, draft)), at);
  return { ...rested(program, next, at), lastAt: at };
}

/** A step that the run can be rewound to. */
function marked(snapshot: Snapshot): Snapshot {
  return { ...snapshot, trail: Trail.endingAt(snapshot) };
}

type Body<K extends RecordBody["kind"]> = RecordBody & { readonly kind: K };

function begin(program: Program, snapshot: Snapshot, record: Body<"run">, at: number): Snapshot {
  const { input, config, state, agents = {} } = record;
  const given = { ...snapshot, input, ...(config === undefined ? {} : { config }) };
  let next: Snapshot = { ...given, status: "running", runningSince: at };
  for (const field of program.fields) {
    const isOwn = field.ir.scope === "agent";
    const value = (isOwn ? agents : state)[field.ir.name];
    if (value === undefined) continue;
    const root = next.frames.get(ROOT);
    if (root === undefined) continue;
    next = {
      ...next,
      shown: isOwn ? next.shown : next.shown.set(field.index, { value }),
      frames: next.frames.set(ROOT, { ...root, view: root.view.set(field.index, value) }),
    };
  }
  return applyFlow(program, next, record.flow, record.writes);
}

/** A judge's model costs what any other does. */
function chargeJudge(snapshot: Snapshot, { usage }: Body<"answer">): Snapshot {
  return usage === undefined ? snapshot : { ...snapshot, usage: addUsage(snapshot.usage, usage) };
}

/** Every call counts, also one that failed and says nothing of what it used. */
function charge(snapshot: Snapshot, record: Body<"outcome">): Snapshot {
  const { id, effect, failure } = record;
  const counted = (before: number) =>
    effect === "tool" ? (failure === undefined ? 0 : before + 1) : before;
  const usage = chargeOf(record);
  const session = sessionIn(record);
  const errors = counted(snapshot.errors);
  const charged = { ...snapshot, errors, usage: addUsage(snapshot.usage, usage) };
  return changeRun(charged, id, (run) => ({
    errors: counted(run.errors),
    usage: addUsage(run.usage, usage),
    attemptUsage: addUsage(run.attemptUsage, usage),
    ...(session === undefined ? {} : { session }),
  }));
}

function withMade(snapshot: Snapshot, { id, artifacts = [] }: Body<"outcome">): Snapshot {
  if (artifacts.length === 0) return snapshot;
  return changeRun(snapshot, id, ({ made = [] }) => ({ made: [...made, ...artifacts] }));
}

/** What a called graph spends, its caller spends. */
function charged(snapshot: Snapshot, id: number, record: RecordBody): Snapshot {
  if (record.kind === "answer") return chargeJudge(snapshot, record);
  return record.kind === "outcome" ? charge(snapshot, { ...record, id }) : snapshot;
}

function endAttempt(
  program: Program,
  snapshot: Snapshot,
  record: Body<"attempt">,
  at: number,
): Snapshot {
  const stopped = endedRun({ ...snapshot, errors: snapshot.errors + 1 }, record.id, at);
  switch (record.next) {
    case "repair":
      return changeRun(stopped, record.id, (run) => ({
        ...again(record, "repair"),
        repairs: run.repairs + (record.revised === true ? 0 : 1),
        feedback: record.failure.feedback ?? record.failure.message,
      }));
    case "retry":
      return changeRun(stopped, record.id, ({ feedback: _, ...run }) => ({
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
    case "again":
      return changeRun(stopped, record.id, ({ feedback: _, ...run }) => ({
        ...again(record, "retry"),
        sessionFrom: record.attempt + 1,
        repairs: 0,
        retries: {},
        sentinel: {
          first: run.id,
          since: snapshot.open.get(record.id)?.runningSince ?? at,
          ...run.sentinel,
          errors: record.errors ?? 0,
          reason: record.failure.message,
        },
      }));
    case "fail":
      return changeRun(stopped, record.id, () => ({ status: "stopped" }));
    case "go-on":
      return goOn(program, stopped, record);
    case "skip":
      return applyFlow(program, stopped, record.flow ?? [], record.writes ?? []);
  }
}

function endedRun(snapshot: Snapshot, id: number, at: number): Snapshot {
  const run = snapshot.open.get(id);
  if (run === undefined) return snapshot;
  const ended = {
    ...withoutOffer(clockedOut(run, at)),
    errors: run.errors + 1,
    attemptUsage: noUsage,
  };
  return { ...snapshot, open: snapshot.open.set(id, ended) };
}

/** It ended, and an arrow says where that leads. */
function goOn(program: Program, snapshot: Snapshot, record: Body<"attempt">): Snapshot {
  const run = snapshot.open.get(record.id);
  const closed = run === undefined ? snapshot : closeRun(snapshot, run);
  const counted = { ...closed, detours: closed.detours + 1 };
  return applyFlow(program, counted, record.flow ?? [], record.writes ?? []);
}

function again(record: Body<"attempt">, reason: "retry" | "repair"): Partial<NodeRun> {
  return {
    status: "ready",
    attempt: record.attempt + 1,
    reason,
    ...(record.notBefore === undefined ? {} : { notBefore: record.notBefore }),
  };
}

function commit(program: Program, snapshot: Snapshot, record: Body<"commit">): Snapshot {
  const run = snapshot.open.get(record.id);
  if (run === undefined)
    throw new Error(`M9000: commit of node run ${record.id}, which is not open`);
  const by = { frame: run.frame, seq: run.seq, scope: run.scope, node: run.node };
  const own = record.writes.slice(0, record.ownWrites);
  let next: Snapshot = { ...snapshot, steps: record.step, errors: 0 };
  for (const write of own) {
    next = applyWrites(program, next, by.frame, [frameWrite(program, next, by, write)]).snapshot;
  }
  const kept = withTalk(program, closeRun(keepSession(program, next, run), run), run);
  next = noteCommit(program, withRead(program, kept, run, record.read), run);
  next = applyFlow(program, next, record.flow, record.writes.slice(record.ownWrites));
  return withArtifacts(withSent(next, run, record.messages), record.artifacts);
}

/** Flow operations with the writes of their routes between them, as they were made. */
function applyFlow(
  program: Program,
  snapshot: Snapshot,
  flow: readonly FlowOp[],
  writes: readonly Body<"commit">["writes"][number][],
): Snapshot {
  let next = snapshot;
  let at = 0;
  for (const op of flow) {
    if (op.op !== "write") {
      next = applyOp(program, next, op).snapshot;
      continue;
    }
    const logged = writes[at];
    at += 1;
    if (logged === undefined) throw new Error("M9000: a route's write is missing in the log");
    const by = { frame: op.frame, seq: op.seq };
    next = applyWrites(program, next, op.frame, [frameWrite(program, next, by, logged)]).snapshot;
  }
  return next;
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
        ...withoutEnd(stopped),
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

function withoutEnd({ failure: _, output: __, ...snapshot }: Snapshot): Snapshot {
  return snapshot;
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
): { readonly snapshot: Snapshot; readonly patches: readonly Patch[] } {
  const home = withDetached(snapshot);
  return applyOp(program, home, { op: "fold", frames: [], line: ROOT, into: ROOT });
}

function changeRun(
  snapshot: Snapshot,
  id: number,
  change: (run: NodeRun) => Partial<NodeRun>,
): Snapshot {
  const run = snapshot.open.get(id);
  if (run === undefined) return snapshot;
  return { ...snapshot, open: snapshot.open.set(id, { ...run, ...change(run) }) };
}
