/**
 * The scheduler: given where a run is and what just happened, says what becomes true, what starts and what is
 * cancelled. Pure: it never waits, reads a clock or runs user code.
 */

import type { Answer } from "../interrupt.ts";
import { innermost, type RecordBody } from "../records/records.ts";
import { grown } from "../state/persistent.ts";
import { commitRun } from "./attempts/commit-run.ts";
import { failAttempt, reachLimit } from "./attempts/fail-attempt.ts";
import { isToJudge } from "./attempts/judge-questions.ts";
import { startRecord, startRecords } from "./attempts/start-attempt.ts";
import {
  callAsTool,
  decideInside,
  endOfCalled,
  homeOf,
  modifyCalled,
  startCalled,
  toolGoesOn,
} from "./call-graph.ts";
import { type Completion, type Timer, withCause } from "./completion.ts";
import { answerRecords, begin, control, opinionRecords } from "./control.ts";
import { KnownCalls } from "./expressions/calls.ts";
import { type Decision, decision } from "./flow/flow-draft.ts";
import { itemNews, reachRunLimit } from "./flow/settle.ts";
import { foldDecidedCommit, foldRecord, noteInTrail } from "./fold.ts";
import { askedNext, isStopped, openInterrupt, question } from "./interrupts.ts";
import { branchRecords, editRecord, useRecord } from "./interventions.ts";
import { isDue, limitReached, timersOf, timeSpent } from "./limits.ts";
import { unreadMessages } from "./mail.ts";
import type { Program } from "./program/program.ts";
import { type Child, emptySnapshot, type NodeRun, type Snapshot } from "./snapshot/snapshot.ts";
import { steerRecord, withSteers } from "./steers.ts";

export interface Advance extends Consequences {
  readonly snapshot: Snapshot;
  readonly records: readonly RecordBody[];
  /** It is not to be decided yet: somebody is asked first. The same completion comes again when `isDeferred` says no. */
  readonly deferred?: true;
}

export function advance(program: Program, snapshot: Snapshot, completion: Completion): Advance {
  const { at, calls } = completion;
  // Most programs ask nobody: then nobody need note what they were told.
  const functions =
    program.callsOut || calls !== undefined
      ? new KnownCalls(calls ?? NONE, { otherwise: program.functions, at })
      : undefined;
  const informed = functions === undefined ? program : { ...program, functions };
  const decided = decide(informed, snapshot, completion, []);
  const { next, records } = folded(informed, functions, { snapshot, decided, completion });
  const { starts, cancels, timers } = consequences(program, snapshot, next, completion);
  const result = { snapshot: next, records, starts, cancels, timers };
  return waitsForLimit(completion, records) ? { ...result, deferred: true } : result;
}

/** The limit stands in the way of what the attempt wants next, not of what it has done. */
function waitsForLimit({ kind }: Completion, records: readonly RecordBody[]): boolean {
  const first = records[0];
  if (first === undefined || !WAITING_FOR_LIMITS.includes(kind)) return false;
  const asked = innermost(first);
  return asked.kind === "interrupt" && asked.ask === "limit";
}

const WAITING_FOR_LIMITS: readonly Completion["kind"][] = [
  "started",
  "intent",
  "succeeded",
  "failed",
];

/** Tells whether a completion has to wait: the run is held, or somebody is asked whether it may go on. */
export function isDeferred(snapshot: Snapshot, completion: Completion): boolean {
  switch (completion.kind) {
    case "started":
    case "intent":
    case "interrupt":
    case "item":
    case "graph-call":
    case "succeeded":
    case "failed":
      return isStopped(snapshot, completion.id);
    default:
      return false;
  }
}

/** Folds what was decided, and keeps with each record the results of functions that it takes. */
function folded(
  program: Program,
  functions: KnownCalls | undefined,
  of: {
    readonly snapshot: Snapshot;
    readonly decided: Decision;
    readonly completion: Completion;
  },
): { readonly next: Snapshot; readonly records: readonly RecordBody[] } {
  const { snapshot, completion } = of;
  const { at } = completion;
  let { behindFirst } = of.decided;
  // The first record has what was decided with, the others what they alone are folded with.
  let used = functions?.takeUsed() ?? NONE;
  let next = snapshot;
  let records: RecordBody[] = [];
  for (const decided of of.decided.records) {
    const record = withDead(next, withSteers(next, decided));
    const draft =
      behindFirst === undefined
        ? foldRecord(program, next, record, at)
        : foldDecidedCommit(program, { before: snapshot, draft: behindFirst, record, at });
    behindFirst = undefined;
    const marked = draft.status === "waiting" ? { ...record, waits: true as const } : record;
    const more = functions?.takeUsed() ?? NONE;
    const calls = used.length + more.length === 0 ? NONE : [...new Set([...used, ...more])];
    used = NONE;
    const logged = withCause(calls.length === 0 ? marked : { ...marked, calls }, completion);
    records = grown(records, logged);
    next = noteInTrail(draft, logged, at);
  }
  return { next, records };
}

/** The end of a run, or of a graph that it has called, tells which messages nobody has read. */
function withDead(snapshot: Snapshot, record: RecordBody): RecordBody {
  if (record.kind === "sub") {
    const called = snapshot.children.get(record.id)?.snapshot;
    return called === undefined ? record : { ...record, record: withDead(called, record.record) };
  }
  if (record.kind !== "end" && (record.kind !== "control" || record.verb !== "abort"))
    return record;
  const dead = unreadMessages(snapshot.mail);
  return dead.length === 0 ? record : { ...record, dead };
}

function decide(
  program: Program,
  snapshot: Snapshot,
  completion: Completion,
  around: readonly string[],
): Decision {
  const home = homeOf(snapshot, completion);
  if (home !== undefined) {
    return decideInside({ program, snapshot }, home, { completion, around, decide });
  }
  switch (completion.kind) {
    case "begin":
      return decision(begin(program, snapshot, completion));
    case "use":
      return decision(useRecord(program, snapshot, completion));
    case "steer":
      return decision(steerRecord(snapshot, completion));
    case "modify":
      return decision(modifyCalled({ program, snapshot }, completion, around));
    case "edit":
      // The called graph that it is of is over.
      if (completion.sub !== undefined) return decision([]);
      return decision(editRecord(program, snapshot, completion));
    case "control":
      return decision(control(program, snapshot, completion));
    case "branch":
      return decision(branchRecords(program, snapshot, completion));
    case "item":
      return decision(itemNews(program, snapshot, completion));
    case "timer":
      return decision(timer(program, snapshot, completion.timer, completion.at));
    case "answer":
      return decision(answerRecords(snapshot, completion));
    case "opinion":
      return decision(opinionRecords(snapshot, completion));
    default: {
      const call = dueCall({ program, snapshot }, completion);
      if (call !== undefined) {
        return callNews({ program, snapshot }, call, { at: completion.at, around });
      }
      const run = current(snapshot, completion);
      if (run === undefined) return decision([]);
      return completion.kind === "succeeded"
        ? succeeded(program, snapshot, run, completion)
        : decision(attemptNews({ program, snapshot, around }, run, completion));
    }
  }
}

type AttemptNews = Extract<
  Completion,
  {
    readonly kind:
      | "started"
      | "intent"
      | "outcome"
      | "graph-call"
      | "interrupt"
      | "succeeded"
      | "failed";
  }
>;

function succeeded(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  news: AttemptNews & { readonly kind: "succeeded" },
): Decision {
  const limit = timeSpent(program, snapshot, run, news.at);
  if (limit === undefined) return commitRun(program, snapshot, run, news);
  return decision(reachLimit(program, snapshot, { run, limit, at: news.at }));
}

function attemptNews(
  {
    program,
    snapshot,
    around,
  }: {
    readonly program: Program;
    readonly snapshot: Snapshot;
    readonly around: readonly string[];
  },
  run: NodeRun,
  news: Exclude<AttemptNews, { readonly kind: "succeeded" }>,
): readonly RecordBody[] {
  const node = program.nodes[run.node]?.ir.name ?? "";
  switch (news.kind) {
    case "started":
      return startRecords(program, snapshot, run, {
        at: news.at,
        begin: (start) => [start, ...toolGoesOn({ program, snapshot }, run, news.at)],
      });
    case "graph-call":
      return callAsTool({ program, snapshot }, run, { completion: news, around });
    case "intent": {
      const limit = limitReached(program, snapshot, run, news);
      if (limit !== undefined) return reachLimit(program, snapshot, { run, limit, at: news.at });
      const { at: _, calls: __, ...intent } = news;
      return [{ ...intent, node }];
    }
    case "outcome": {
      const { at: _, calls: __, ...outcome } = news;
      return [{ ...outcome, node }];
    }
    case "interrupt": {
      const { kind: _, id: __, attempt: ___, calls: ____, ...asked } = news;
      return question(program, snapshot, run, asked);
    }
    case "failed":
      return failAttempt(program, snapshot, run, news.failure, news.at);
  }
}

/** The node run that is to call a graph, or whose graph has ended: a replay knows only what came of that. */
function dueCall(
  { program, snapshot }: { readonly program: Program; readonly snapshot: Snapshot },
  { id, attempt }: AttemptNews,
): NodeRun | undefined {
  const run = snapshot.open.get(id);
  if (run?.status !== "ready" || run.attempt !== attempt) return undefined;
  if (snapshot.status !== "running") return undefined;
  return program.nodes[run.node]?.called === undefined ? undefined : run;
}

/** A node run that calls a graph starts: the graph begins or goes on, or has come to its end. */
function callNews(
  { program, snapshot }: { readonly program: Program; readonly snapshot: Snapshot },
  run: NodeRun,
  { at, around }: { readonly at: number; readonly around: readonly string[] },
): Decision {
  const { id, attempt } = run;
  const offer = run.asks?.offer;
  const isOver = offer === undefined && program.nodes[run.node]?.isGone === undefined;
  const end = isOver ? endOfCalled({ program, snapshot }, run) : undefined;
  if (end !== undefined) {
    if ("class" in end) return decision(failAttempt(program, snapshot, run, end, at));
    // A judge is asked by an attempt: it ends with what the graph came to, and the verdicts.
    if (isToJudge(program, snapshot, run, { output: end.output, at }))
      return decision([startRecord(program, snapshot, run, true)]);
    const news = { kind: "succeeded", id, attempt, output: end.output, at } as const;
    return succeeded(program, snapshot, run, news);
  }
  const node = program.nodes[run.node];
  if (node === undefined) throw new Error(`M9000: no node ${run.node}`);
  const begin = (start: RecordBody) =>
    startCalled({ program, snapshot }, { run, node, start }, { at, around });
  return decision(startRecords(program, snapshot, run, { at, begin }));
}

/** The attempt the news are of, unless it is over: late news change nothing. */
function current(snapshot: Snapshot, { id, attempt, kind }: AttemptNews): NodeRun | undefined {
  const run = snapshot.open.get(id);
  // What a call in flight came to is kept even while the run is held: it is paid for.
  const isOn = snapshot.status === "running" || snapshot.status === "waiting";
  const listens = isOn || (snapshot.held && kind === "outcome");
  if (!listens || run === undefined || run.attempt !== attempt) return undefined;
  if (run.source !== undefined) return undefined;
  if (kind === "started") return run.status === "ready" ? run : undefined;
  return run.status === "running" ? run : undefined;
}

/** A deadline has passed: the node run, or the whole run, ends by its limit, or a question by its time. */
function timer(
  program: Program,
  snapshot: Snapshot,
  due: Timer,
  at: number,
): readonly RecordBody[] {
  const { id, interrupt } = due;
  if (interrupt !== undefined) return expiry(snapshot, { id: id ?? -1, interrupt, at });
  if (snapshot.status !== "running" || !isDue(program, snapshot, { id, at })) return [];
  if (id === undefined) return reachRunLimit(program, snapshot, { limit: "time", at });
  const run = snapshot.open.get(id);
  if (run?.status !== "running") return [];
  return reachLimit(program, snapshot, { run, limit: { name: "time", of: "node" }, at });
}

function expiry(
  snapshot: Snapshot,
  { at, ...which }: { readonly id: number; readonly interrupt: string; readonly at: number },
): readonly RecordBody[] {
  const asked = openInterrupt(snapshot, which);
  const isOn = snapshot.status === "running" || snapshot.status === "waiting";
  if (!isOn || asked?.expiresAt === undefined || at < asked.expiresAt) return [];
  if (asked.then !== undefined) return [askedNext(asked, asked.expiresAt, at)];
  const answer: Answer =
    asked.default === undefined
      ? { kind: "deny", reason: "nobody answered in time" }
      : { kind: "value", value: asked.default };
  return answerRecords(snapshot, { kind: "answer", ...which, answer, from: "expiry", at });
}

const NONE: readonly never[] = [];

// Works out what a driver does after a decision: attempts to start, attempts to cancel, timers to set.

/** The work of a driver after a decision. */
interface Consequences {
  /** Attempts to start, in the order of the graph. */
  readonly starts: readonly Start[];
  /** Node runs whose attempt in flight is to be cancelled. */
  readonly cancels: readonly number[];
  /** Deadlines to keep from here on; one that is due comes back as a completion. */
  readonly timers: readonly Timer[];
}

/** One attempt to start. */
export interface Start {
  readonly id: number;
  readonly attempt: number;
  readonly notBefore?: number;
}

/** Compares two snapshots, and those of their called graphs, and returns the work of the driver. */
function consequences(
  program: Program,
  before: Snapshot,
  after: Snapshot,
  completion: Completion,
): Consequences {
  const own = ownConsequences(program, before, after, completion);
  if (after.children === before.children) return own;
  const all = [own];
  for (const id of after.children.changedFrom(before.children)) {
    const [was, now] = [before.children.get(id), after.children.get(id)];
    if (now === undefined) {
      all.push({ starts: [], cancels: was === undefined ? [] : runningIn(was), timers: [] });
      continue;
    }
    const from = was?.snapshot ?? emptySnapshot();
    const inner = consequences(now.program, from, now.snapshot, completion);
    const timers = inner.timers.map((timer) => ofCalled(timer, id));
    all.push({ ...inner, timers });
  }
  return {
    starts: all.flatMap(({ starts }) => starts),
    cancels: all.flatMap(({ cancels }) => cancels),
    timers: all.flatMap(({ timers }) => timers),
  };
}

/** A deadline without a node run is that of the graph which the node run here called. */
function ofCalled(timer: Timer, caller: number): Timer {
  return timer.id === undefined && timer.sub === undefined ? { ...timer, sub: caller } : timer;
}

/** Returns the node runs that are under way in a graph whose call is over. */
function runningIn({ snapshot }: Child): readonly number[] {
  const running = [...snapshot.open.values()].filter(({ status }) => status === "running");
  return [...running.map(({ id }) => id), ...[...snapshot.children.values()].flatMap(runningIn)];
}

/** Returns the starts, cancels and timers of the node runs of one graph. */
function ownConsequences(
  program: Program,
  before: Snapshot,
  after: Snapshot,
  completion: Completion,
): Consequences {
  const changed = after.open.changedFrom(before.open);
  const cancels = cancelledOf(before, after, { changed, completion });
  if (after.status !== "running" && after.status !== "waiting")
    return { starts: NONE, cancels, timers: NONE };
  const wasOn = before.status === "running" || before.status === "waiting";
  const expiries = expiriesOf(after, wasOn && completion.kind !== "control" ? before : undefined);
  if (after.status === "waiting") return { starts: NONE, cancels, timers: expiries };
  const resumed = before.status !== "running" || completion.kind === "control";
  const due = resumed ? readyRuns(after) : withStatus(after, changed, "ready");
  const starts = due.length === 0 ? NONE : due.map(startOf);
  const running = withStatus(after, changed, "running");
  // Deadlines of the run are kept anew when its time goes on.
  const isRunningAgain =
    resumed || (before.runningSince === undefined && after.runningSince !== undefined);
  const timers = timersOf(program, after, {
    resumed: isRunningAgain,
    running,
    at: completion.at,
  });
  return {
    starts: starts ?? NONE,
    cancels,
    timers: expiries.length === 0 ? timers : [...timers, ...expiries],
  };
}

/** The node runs with these numbers that are in one state. */
function withStatus(
  { open }: Snapshot,
  ids: readonly number[],
  status: NodeRun["status"],
): readonly NodeRun[] {
  if (ids.length === 0) return NONE;
  let found: NodeRun[] = [];
  for (let at = 0; at < ids.length; at += 1) {
    const run = open.get(ids[at] ?? -1);
    if (run?.status === status) found = grown(found, run);
  }
  return found;
}

/** Node runs whose attempt in flight nobody waits for any more. */
function cancelledOf(
  before: Snapshot,
  after: Snapshot,
  { changed, completion }: { readonly changed: readonly number[]; readonly completion: Completion },
): readonly number[] {
  const completedId = "id" in completion ? completion.id : -1;
  let cancels: number[] = NOBODY;
  for (let at = 0; at < changed.length; at += 1) {
    const id = changed[at] ?? -1;
    if (id === completedId || !isCancelled(before.open.get(id), after.open.get(id))) continue;
    cancels = grown(cancels, id);
  }
  if (before.held || !after.held) return cancels;
  // A hold also takes back the starts that have not begun: a release gives them out again.
  return [...cancels, ...readyRuns(after).map(({ id }) => id)];
}

/** Never added to: `grown` puts the first into a list of its own. */
const NOBODY: never[] = [];

function isCancelled(was: NodeRun | undefined, now: NodeRun | undefined): boolean {
  if (was?.status === "running") return now?.status !== "running";
  return was?.status === "ready" && now === undefined;
}

function startOf({ id, attempt, notBefore }: NodeRun): Start {
  return notBefore === undefined ? { id, attempt } : { id, attempt, notBefore };
}

/** Questions that expire, as far as they did not before. */
function expiriesOf(after: Snapshot, before: Snapshot | undefined): readonly Timer[] {
  if (after.interrupts === before?.interrupts && after.whole === before?.whole) return NONE;
  const whole = after.whole === undefined ? [] : [after.whole];
  return [...whole, ...[...after.interrupts.values()].flat()].flatMap(
    ({ id, interrupt, expiresAt }) => {
      const was = before && openInterrupt(before, { id, interrupt });
      const isNew = was?.expiresAt !== expiresAt;
      return expiresAt === undefined || !isNew
        ? []
        : [{ ...(id < 0 ? {} : { id }), interrupt, due: expiresAt }];
    },
  );
}

function readyRuns({ open }: Snapshot): readonly NodeRun[] {
  return open.values().filter(({ status }) => status === "ready");
}
