/** Opens, answers and folds the questions of a run. */
import { canonicalJson, sha256 } from "../../dsl/index.ts";
import type { Answer, Question } from "../interrupt.ts";
import type { AnswerRecord, InterruptRecord, LogRecord, RecordBody } from "../records/records.ts";
import { freezeJson } from "../state/json.ts";
import { IntMap } from "../state/persistent.ts";
import type { Program, ProgramNode } from "./program/program.ts";
import {
  activeAt,
  clockedIn,
  clockedOut,
  isWaiting,
  type SnapshotDraft,
} from "./snapshot/draft.ts";
import {
  type NodeRun,
  type OpenInterrupt,
  placeText,
  type RunAsks,
  type Snapshot,
} from "./snapshot/snapshot.ts";

// Opens and closes questions in a snapshot, and finds what waits for them.

/** Hashes the value that an approval is bound to. */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value ?? null));
}

/** A question, and the node run that called the graph which asks it, if one did. */
export interface Asking {
  readonly question: OpenInterrupt;
  readonly home?: number;
}

/** The questions of a run and of the graphs that it has called, in the order of their node runs. */
export function openInterrupts(snapshot: Snapshot, home?: number): readonly Asking[] {
  const { interrupts, whole, children } = snapshot;
  if (interrupts.size === 0 && whole === undefined && children.size === 0) return [];
  const own = [...(whole === undefined ? [] : [whole]), ...[...interrupts.values()].flat()];
  const called = [...children.entries()].flatMap(([id, child]) =>
    openInterrupts(child.snapshot, id),
  );
  return [
    ...own.map((question) => ({ question, ...(home === undefined ? {} : { home }) })),
    ...called,
  ];
}

export interface Which {
  readonly id: number;
  readonly interrupt: string;
}

/** A question of this run, or of a graph that it has called. */
export function openInterrupt(snapshot: Snapshot, which: Which): OpenInterrupt | undefined {
  const { interrupts, whole, homes, children } = snapshot;
  if (whole?.interrupt === which.interrupt) return whole;
  const own = interrupts.get(which.id)?.find(({ interrupt }) => interrupt === which.interrupt);
  if (own !== undefined) return own;
  const child = children.get(homes.get(which.id) ?? -1);
  return child && openInterrupt(child.snapshot, which);
}

/** Under which an answer is remembered: what it is about, else the same question of the same node, whatever is shown. */
export function rememberKey({
  node,
  ask,
  limit,
  tool,
  about,
  to,
  among,
}: Pick<OpenInterrupt, "node" | "ask" | "limit" | "tool" | "about" | "to" | "among">): string {
  // A remembered answer of anybody answers no question to a person whom another node names.
  if (about !== undefined) return [` ${ask} ${about}`, ...(to === undefined ? [] : [to])].join(" ");
  // A remembered answer of one person answers no question to several.
  const persons = among === undefined ? [] : [JSON.stringify(among)];
  return [node, ask, limit ?? tool ?? "", ...persons].join(" ");
}

/** Remembered answers, and those of another graph that hold in every one: what they are about is no node. */
export function withShared(
  own: Snapshot["remembered"],
  others: Snapshot["remembered"],
): Snapshot["remembered"] {
  if (own === others) return own;
  const shared = Object.entries(others).filter(
    ([key, answer]) => key.startsWith(" ") && own[key] !== answer,
  );
  return shared.length === 0 ? own : { ...own, ...Object.fromEntries(shared) };
}

/** Tells whether a hold or a question stops a node run: a question of the run, of a limit, or of the graphs around it. */
export function isStopped(snapshot: Snapshot, id: number): boolean {
  const { held, whole, interrupts, homes, children, open } = snapshot;
  if (held || whole !== undefined) return true;
  if (interrupts.size > 0 && isLimited(snapshot, id)) return true;
  const home = homes.get(id);
  if (open.get(home ?? id)?.isHeld === true) return true;
  if (home === undefined) return false;
  const child = children.get(home);
  return isLimited(snapshot, home) || (child !== undefined && isStopped(child.snapshot, id));
}

function isLimited({ interrupts }: Snapshot, id: number): boolean {
  return interrupts.get(id)?.some(({ ask }) => ask === "limit") === true;
}

// ── opening ─────────────────────────────────────────────────────────────────────────────────────

export function foldInterrupt(snapshot: Snapshot, record: InterruptRecord, at: number): Snapshot {
  const question = askedIn(record);
  freezeJson(question.shown);
  if (record.whole === true) return openedWhole(snapshot, question, at);
  const run = snapshot.open.get(record.id);
  if (run === undefined) return snapshot;
  if (question.passed !== undefined || record.given !== undefined)
    return askedAgain(snapshot, run, question);
  // One that asks in the middle of its attempt goes on with it; any other starts again when it is answered.
  const isUnderWay =
    run.status === "running" && (record.call !== undefined || record.ask === "limit");
  const asks: RunAsks = { ...run.asks, count: (run.asks?.count ?? 0) + 1 };
  const changed: NodeRun = {
    ...clockedOut(run, at),
    status: isUnderWay ? run.status : "waiting",
    waiting: [...(run.waiting ?? []), record.interrupt],
    asks: record.came === undefined ? asks : { ...asks, offer: { question } },
  };
  const others = snapshot.interrupts.get(record.id) ?? [];
  return {
    ...snapshot,
    open: snapshot.open.set(record.id, changed),
    interrupts: snapshot.interrupts.set(record.id, [...others, question]),
  };
}

/** A question that goes to the next person, or that one of several has said yes to, stays the one that its node run waits for. */
function askedAgain(snapshot: Snapshot, run: NodeRun, question: OpenInterrupt): Snapshot {
  const { interrupts, open } = snapshot;
  const questions = (interrupts.get(run.id) ?? []).map((one) =>
    one.interrupt === question.interrupt ? question : one,
  );
  const { asks } = run;
  const isOffer = asks?.offer?.question.interrupt === question.interrupt;
  return {
    ...snapshot,
    open: isOffer ? open.set(run.id, { ...run, asks: { ...asks, offer: { question } } }) : open,
    interrupts: interrupts.set(run.id, questions),
  };
}

/**
 * Returns the question without the parts that are added to its record behind the decision, so that
 * a fold of the log reaches the same position as the run.
 */
function askedIn(
  record: InterruptRecord & Partial<Pick<LogRecord, "seq" | "at" | "calls" | "waits">>,
) {
  const {
    kind: _kind,
    seq: _seq,
    at: _at,
    calls: _calls,
    ended: _ended,
    given: _given,
    waits: _waits,
    ...question
  } = record;
  return question;
}

function openedWhole(snapshot: Snapshot, whole: OpenInterrupt, at: number): Snapshot {
  const { next } = snapshot;
  const open = changeRuns(snapshot, (run) =>
    run.status === "running" ? clockedOut(run, at) : run,
  );
  return { ...snapshot, open, whole, next: { ...next, ask: next.ask + 1 } };
}

// ── answering ───────────────────────────────────────────────────────────────────────────────────

export function foldAnswer(
  program: Program,
  snapshot: Snapshot,
  record: AnswerRecord,
  at: number,
): Snapshot {
  const question = openInterrupt(snapshot, record);
  if (question === undefined) return snapshot;
  const { answer } = record;
  const known = remembering(snapshot, question, answer);
  if (question.whole === true) return answeredWhole(known, question, answer, at);
  const run = known.open.get(question.id);
  if (run === undefined) return known;
  const others = (known.interrupts.get(run.id) ?? []).filter((one) => one !== question);
  const waiting = (run.waiting ?? []).filter((id) => id !== question.interrupt);
  const decided = withDecision(program.nodes[run.node], { ...run, waiting }, question, answer);
  const next: NodeRun =
    run.status === "waiting" ? { ...decided, status: "ready" } : clockedIn(decided, at);
  return {
    ...known,
    open: known.open.set(run.id, next),
    interrupts:
      others.length === 0 ? known.interrupts.delete(run.id) : known.interrupts.set(run.id, others),
  };
}

function remembering(snapshot: Snapshot, question: OpenInterrupt, answer: Answer): Snapshot {
  const { remember = question.remember ?? "call" } = answer;
  if (remember === "call") return snapshot;
  const remembered = { ...snapshot.remembered, [rememberKey(question)]: answer };
  return { ...snapshot, remembered };
}

function answeredWhole(
  snapshot: Snapshot,
  question: OpenInterrupt,
  answer: Answer,
  at: number,
): Snapshot {
  const open = changeRuns(snapshot, (run) => (run.status === "running" ? clockedIn(run, at) : run));
  const grants = answer.kind === "approve" ? granted(snapshot.grants, question) : snapshot.grants;
  return { ...snapshot, whole: undefined, open, grants };
}

function granted(
  grants: Readonly<Record<string, number>>,
  { limit = "" }: OpenInterrupt,
): Readonly<Record<string, number>> {
  return { ...grants, [limit]: (grants[limit] ?? 0) + 1 };
}

/** Stores the decision where the node run finds it when it continues. */
function withDecision(
  node: ProgramNode | undefined,
  run: NodeRun,
  question: OpenInterrupt,
  answer: Answer,
): NodeRun {
  const asks: RunAsks = run.asks ?? { count: 1 };
  // An attempt that asks by itself finds the answer in its journal.
  if (question.call !== undefined) return run;
  if (question.ask === "limit") {
    const { limit = "" } = question;
    if (answer.kind !== "approve") return { ...run, asks: { ...asks, refused: limit } };
    return { ...run, asks: { ...asks, grants: granted(asks.grants ?? {}, question) } };
  }
  if (asks.offer?.question.interrupt === question.interrupt) {
    return { ...run, asks: { ...asks, offer: { ...asks.offer, answer } } };
  }
  const { hash = "" } = question;
  if (answer.kind !== "edit") return { ...run, asks: { ...asks, consent: { hash, answer } } };
  freezeJson(answer.value);
  const consent = { hash: hashOf(answer.value), answer };
  return withArguments(node, { ...run, asks: { ...asks, consent } }, answer.value);
}

/** Tells which part of a node an approval before it shows: the arguments of its call, its own arguments, or its prompt. */
export function approvedPart({ ir }: ProgramNode): "callArgs" | "args" | "prompt" {
  if (ir.call !== undefined) return "callArgs";
  return ir.params.length > 0 ? "args" : "prompt";
}

function withArguments(node: ProgramNode | undefined, run: NodeRun, value: unknown): NodeRun {
  const part = node === undefined ? "prompt" : approvedPart(node);
  if (part === "args") return { ...run, args: value as Readonly<Record<string, unknown>> };
  const { asks = { count: 1 } } = run;
  return { ...run, asks: { ...asks, edited: { [part]: value } } };
}

// ── the rest of the run ─────────────────────────────────────────────────────────────────────────

/** Says whether the run waits: nothing in it can go on before somebody answers. Questions of what is gone are gone too. */
export function updateWaiting(draft: SnapshotDraft, at: number): void {
  const { status, whole, interrupts, children } = draft;
  if (status !== "running" && status !== "waiting") return;
  const mayAsk = interrupts.size > 0 || whole !== undefined || children.size > 0;
  if (status === "running" && !mayAsk) return;
  if (interrupts.size > 0) draft.interrupts = ofOpenRuns(draft);
  const waits = whole !== undefined || (!isBusy(draft) && isAsking(draft));
  if (waits === (status === "waiting")) return;
  draft.status = waits ? "waiting" : "running";
  if (waits) draft.activeMs = activeAt(draft, at);
  draft.runningSince = waits ? undefined : at;
}

function isAsking({ interrupts, children }: Snapshot): boolean {
  if (interrupts.size > 0) return true;
  return children.findKey((_, { snapshot }) => snapshot.status === "waiting") !== undefined;
}

function ofOpenRuns({ interrupts, open }: Snapshot): Snapshot["interrupts"] {
  let kept = interrupts;
  for (const [id] of interrupts.entries()) if (open.get(id) === undefined) kept = kept.delete(id);
  return kept;
}

function isBusy({ open, children }: Snapshot): boolean {
  const busy = open.findKey((id, run) => {
    if (run.status === "ready") return true;
    if (run.status !== "running" || isWaiting(run)) return false;
    return children.get(id)?.snapshot.status !== "waiting";
  });
  return busy !== undefined;
}

/** A run that ended or goes back: nobody is asked any more, and what waited can start again. */
export function withoutInterrupts(snapshot: Snapshot): Snapshot {
  const open = changeRuns(snapshot, (run) => {
    if (!isWaiting(run)) return run;
    const status = run.status === "waiting" ? "ready" : run.status;
    return { ...run, status, waiting: undefined };
  });
  return { ...snapshot, whole: undefined, open, interrupts: IntMap.empty() };
}

/** The attempt is over: what it came to is no longer on offer. */
export function withoutOffer(run: NodeRun): NodeRun {
  if (run.asks?.offer === undefined) return run;
  const { offer: _, ...asks } = run.asks;
  return { ...run, asks };
}

function changeRuns({ open }: Snapshot, change: (run: NodeRun) => NodeRun): Snapshot["open"] {
  let changed = open;
  for (const run of open.values()) {
    const next = change(run);
    if (next !== run) changed = changed.set(run.id, next);
  }
  return changed;
}

// The records that open a question; where its answer is remembered, the answer with it.

/** A question to open, with its time. */
export type QuestionAsked = Question &
  Pick<InterruptRecord, "call" | "limit" | "came"> & { readonly at: number };

/** A question of a node run. */
export function question(
  program: Program,
  snapshot: Snapshot,
  run: NodeRun,
  asked: QuestionAsked,
): readonly RecordBody[] {
  const node = program.nodes[run.node]?.ir.name ?? "";
  const count = (run.asks?.count ?? 0) + 1;
  const scope = snapshot.scopes.get(run.scope);
  const { at, withinMs, ...rest } = asked;
  return withRemembered(snapshot, {
    kind: "interrupt",
    interrupt: `${node}-${run.id}${count === 1 ? "" : `-${count}`}`,
    id: run.id,
    node,
    attempt: run.attempt,
    key: placeText(run),
    ordinal: run.ordinal,
    ...(scope === undefined || scope.expansion === -1 ? {} : { item: scope.index }),
    ...rest,
    ...(asked.shown === undefined ? {} : { hash: hashOf(asked.shown) }),
    ...(withinMs === undefined ? {} : { expiresAt: at + withinMs }),
  });
}

/** The same question, asked of the next person since nobody has answered by `until`. */
export function askedNext(
  {
    then = [],
    to,
    among,
    need,
    agreed,
    declined,
    passed = [],
    expiresAt: _,
    ...asked
  }: OpenInterrupt,
  until: number,
  at: number,
): InterruptRecord {
  const [next, ...others] = then;
  // A reminder keeps the answers so far; other persons are asked from the beginning.
  const isReminded = next?.among?.join() === among?.join() && next?.need === need;
  const before = { ...(to === undefined ? {} : { to }), until };
  return {
    ...asked,
    kind: "interrupt",
    ...(next?.to === undefined ? {} : { to: next.to }),
    ...(next?.among === undefined ? {} : { among: next.among }),
    ...(next?.need === undefined ? {} : { need: next.need }),
    ...(agreed === undefined || !isReminded ? {} : { agreed }),
    ...(declined === undefined || !isReminded ? {} : { declined }),
    ...(next?.withinMs === undefined ? {} : { expiresAt: at + next.withinMs }),
    ...(others.length === 0 ? {} : { then: others }),
    passed: [...passed, before],
  };
}

/** A question for which the whole run waits: nothing starts and nothing commits before it is answered. */
export function wholeQuestion(
  snapshot: Snapshot,
  asked: {
    readonly limit: string;
    readonly question: string;
    readonly node: string;
    readonly run?: NodeRun;
    readonly expiresAt?: number;
  },
): readonly RecordBody[] {
  const { limit, question: text, node, run, expiresAt } = asked;
  return withRemembered(snapshot, {
    kind: "interrupt",
    interrupt: `limit-${limit}-${snapshot.next.ask + 1}`,
    id: run?.id ?? -1,
    node,
    attempt: run?.attempt ?? 0,
    key: run === undefined ? "" : placeText(run),
    ordinal: run?.ordinal ?? 0,
    ask: "limit",
    question: text,
    limit,
    whole: true,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
}

function withRemembered(
  { remembered }: Snapshot,
  interrupt: InterruptRecord,
): readonly RecordBody[] {
  // Whether one call took effect says nothing of another.
  const answer = interrupt.ask === "doubt" ? undefined : remembered[rememberKey(interrupt)];
  return answer === undefined
    ? [interrupt]
    : [interrupt, answerRecord(interrupt, { answer, from: "policy" })];
}

export function answerRecord(
  { interrupt, id, node, attempt, call }: Omit<InterruptRecord, "kind">,
  given: Pick<AnswerRecord, "answer" | "from" | "by" | "usage">,
): AnswerRecord {
  const which = { interrupt, id, node, attempt, ...(call === undefined ? {} : { call }) };
  return { kind: "answer", ...which, ...given };
}
