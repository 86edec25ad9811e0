/** Keeps the snapshots of called graphs inside that of their caller: folds them, carries steps over to a new plan, finds runs. */

import { canonicalJson, type ExprIr } from "../../dsl/index.ts";
import type { Failure } from "../failure.ts";
import type { Carried, ModifyRecord } from "../records/control-records.ts";
import {
  type CommitRecord,
  callerLabel,
  callerName,
  innermost,
  type RecordBody,
  type RunRecord,
  type SubRecord,
  type ToolUse,
} from "../records/records.ts";
import type { IntMap } from "../state/persistent.ts";
import { updateWaiting, withoutInterrupts, withShared } from "./interrupts.ts";
import { restartNodeRun, usesWithin } from "./interventions.ts";
import { shownState } from "./lookup.ts";
import type { Program, ProgramNode } from "./program/program.ts";
import {
  asDraft,
  clockedIn,
  clockedOut,
  isResting,
  type SnapshotDraft,
  updateSleep,
} from "./snapshot/draft.ts";
import {
  type Child,
  emptySnapshot,
  must,
  type NodeRun,
  placeText,
  ROOT,
  type Snapshot,
} from "./snapshot/snapshot.ts";

// Folds records of called graphs, each a snapshot inside that of its caller.

type Apply = (program: Program, snapshot: Snapshot, record: RecordBody, at: number) => Snapshot;

/** The fold of any graph, for records of called graphs. */
export interface Folding {
  readonly program: Program;
  readonly at: number;
  readonly apply: Apply;
}

export function applySub(
  draft: SnapshotDraft,
  { id, record }: Omit<SubRecord, "kind">,
  { program, at, apply }: Folding,
): void {
  const run = must(draft.open, id, "node run");
  const before = draft.children.get(id);
  const called = record.kind === "run" ? begun(program, draft, { id, record, before }) : before;
  if (called === undefined) throw new Error(`M9000: node run ${id} has called no graph`);
  const inside = calledWith(program, called.program);
  const folded = apply(inside, withNext(called.snapshot, draft), record, at);
  const isReplaced = record.kind === "run" && before?.modified !== undefined;
  const after = isReplaced
    ? carriedOver({ program: inside, before: before.snapshot, at }, folded, record.carried)
    : folded;
  const child = {
    ...called,
    snapshot: after,
    ...(record.kind === "control" && record.verb === "resume" ? { attempt: run.attempt } : {}),
    ...(record.kind === "end" && record.node !== undefined ? { failedAt: record.node } : {}),
  };
  // Its end is one thing, what its caller makes of it the next: a run can be held between the two.
  const ended: NodeRun | undefined =
    record.kind === "end" && called.tool === undefined
      ? { ...clockedOut(run, at), status: "ready" }
      : undefined;
  const clocked = ended ?? waitedFor(run, called.snapshot, after, at);
  if (clocked !== run) draft.open = draft.open.set(id, clocked);
  draft.children = draft.children.set(id, child);
  draft.homes = rehomed(draft.homes, id, { before: before?.snapshot, after });
  if (isStep(innermost(record))) draft.innerSteps += 1;
  draft.next = { ...draft.next, run: after.next.run };
  draft.remembered = withShared(draft.remembered, after.remembered);
}

/** While all of the called graph waits for an answer or for a time, its caller spends none. */
function waitedFor(run: NodeRun, before: Snapshot, after: Snapshot, at: number): NodeRun {
  if (run.status !== "running" || isResting(before) === isResting(after)) return run;
  if (isResting(after)) return clockedOut(run, at);
  return after.status === "running" ? clockedIn(run, at) : run;
}

/** The plan of a called graph is replaced where it begins anew: at once, or when the whole run goes on. */
export function foldModify(
  snapshot: Snapshot,
  { id, plan, done, rounds }: Omit<ModifyRecord, "kind">,
): Snapshot {
  const child = must(snapshot.children, id, "called graph");
  const modified = { plan, done, ...(rounds === undefined ? {} : { rounds }) };
  const changed = { ...child, modified };
  return { ...snapshot, children: snapshot.children.set(id, changed) };
}

/** A called graph with the results of functions that its caller has at hand, and the file in which it means their names. */
export function calledWith({ functions, ir }: Program, called: Program): Program {
  const file = called.ir.source?.file;
  if (file === undefined || file === ir.source?.file)
    return functions === undefined ? called : { ...called, functions };
  if (functions === undefined && !called.callsOut) return called;
  return { ...called, functions: { file, result: (call) => functions?.result(call) } };
}

/** A called graph with the numbers that its caller has come to, and with the answers that hold in every graph of the run. */
export function withNext(child: Snapshot, { next, remembered }: Snapshot): Snapshot {
  return {
    ...child,
    remembered: withShared(child.remembered, remembered),
    next: { ...child.next, run: next.run },
  };
}

/** A step, or a failure from which an arrow leads on. */
function isStep(record: RecordBody): record is RecordBody & CommitRecord {
  return record.kind === "commit" || (record.kind === "attempt" && record.next === "go-on");
}

function begun(
  program: Program,
  snapshot: Snapshot,
  of: {
    readonly id: number;
    readonly record: RunRecord;
    /** The called graph that this one replaces: its node runs have other names. */
    readonly before: Child | undefined;
  },
): Child {
  const { node, attempt } = must(snapshot.open, of.id, "node run");
  const { input, tool } = of.record;
  const called = programCalled(program.nodes[node], { input, tool });
  if (called === undefined || "class" in called)
    throw new Error("M9000: a called graph is gone; the log does not fit the program");
  return {
    program: called,
    snapshot: {
      ...begunAnew(of.before),
      ...usesWithin(snapshot, callerName(program.nodes[node]?.ir.name ?? "", tool)),
    },
    begun: tool === undefined ? (of.before?.begun ?? attempt) : attempt,
    attempt,
    ...(tool === undefined ? {} : { tool }),
  };
}

/** The program that a node calls: by itself, or as a tool of its model. */
export function programCalled(
  node: ProgramNode | undefined,
  {
    input,
    tool,
  }: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly tool: ToolUse | undefined;
  },
): Program | Failure | undefined {
  const called = tool === undefined ? node?.called : node?.tools?.get(tool.name);
  return called?.program(input);
}

/** A called graph that has not begun; in place of another, so that no two node runs have one name. */
export function begunAnew(before: Child | undefined): Snapshot {
  return before === undefined
    ? emptySnapshot()
    : { ...emptySnapshot(), line: before.snapshot.line + 1 };
}

function rehomed(
  homes: Snapshot["homes"],
  id: number,
  { before, after }: { readonly before: Snapshot | undefined; readonly after: Snapshot },
): Snapshot["homes"] {
  const { open, homes: inner } = before ?? emptySnapshot();
  return moved(moved(homes, id, open, after.open), id, inner, after.homes);
}

function moved(
  homes: Snapshot["homes"],
  id: number,
  before: IntMap<unknown>,
  after: IntMap<unknown>,
): Snapshot["homes"] {
  let changed = homes;
  for (const key of after.changedFrom(before)) {
    if (after.get(key) === undefined) changed = changed.delete(key);
    else if (before.get(key) === undefined) changed = changed.set(key, id);
  }
  return changed;
}

/** Applies a record of the caller to the graphs that it has called: they stop, continue and end with it. */
export function followByChildren(
  before: Snapshot,
  draft: SnapshotDraft,
  record: RecordBody,
  folding: Folding,
): void {
  if (before.children.size === 0 || record.kind === "sub") return;
  closeCalled(before, draft);
  switch (record.kind) {
    case "control":
      controlled(before, draft, record, folding);
      break;
    case "end":
      changeChildren(draft, (child) => unasked(paused(child, folding)));
      break;
    case "attempt":
      afterAttempt(draft, record, folding);
      break;
    default:
      break;
  }
}

/** Closes the called graphs of node runs that are over. */
export function closeCalled(before: Snapshot, draft: SnapshotDraft): void {
  if (draft.children.size === 0) return;
  for (const id of draft.open.changedFrom(before.open)) {
    if (draft.open.get(id) === undefined) dropChild(draft, id);
  }
}

function dropChild(draft: SnapshotDraft, id: number): void {
  const child = draft.children.get(id);
  if (child === undefined) return;
  const after = emptySnapshot();
  draft.children = draft.children.delete(id);
  draft.homes = rehomed(draft.homes, id, { before: child.snapshot, after });
}

function controlled(
  before: Snapshot,
  draft: SnapshotDraft,
  record: RecordBody & { readonly kind: "control" },
  folding: Folding,
): void {
  switch (record.verb) {
    // It takes up the children of then by itself.
    case "rewind":
      break;
    case "hold":
      changeChildren(draft, (child) =>
        isUnderWay(child.snapshot) ? withRecord(child, record, folding) : child,
      );
      break;
    case "release":
      changeChildren(draft, (child) =>
        child.snapshot.held ? withRecord(child, record, folding) : child,
      );
      break;
    case "resume":
      // As for the caller: what seems to run lost its process with the last record.
      changeChildren(draft, (child) => paused(child, { ...folding, at: before.lastAt }));
      break;
    case "abort":
      changeChildren(draft, (child) => unasked(paused(child, folding)));
      break;
    default:
      changeChildren(draft, (child) => paused(child, folding));
      break;
  }
}

/** A retry calls anew; what failed for good goes on when the whole run is resumed. */
function afterAttempt(
  draft: SnapshotDraft,
  { id, next }: RecordBody & { readonly kind: "attempt" },
  folding: Folding,
): void {
  const child = draft.children.get(id);
  if (child === undefined) return;
  if (next !== "fail") dropChild(draft, id);
  else draft.children = draft.children.set(id, paused(child, folding));
}

/** Everything in it goes back to where it can start again, as when the whole run is paused. */
function paused(child: Child, folding: Folding): Child {
  const { snapshot } = child;
  if (!isUnderWay(snapshot) && !snapshot.held) return child;
  return withRecord(child, { kind: "control", verb: "pause", reason: "caller" }, folding);
}

/** With the whole run its questions end too, however deep they are asked. */
function unasked(child: Child): Child {
  const snapshot = withoutInterrupts(child.snapshot);
  let { children } = snapshot;
  for (const [id, called] of children.entries()) children = children.set(id, unasked(called));
  return { ...child, snapshot: { ...snapshot, children } };
}

function isUnderWay({ status }: Snapshot): boolean {
  return status === "running" || status === "waiting";
}

function withRecord(child: Child, record: RecordBody, { program, at, apply }: Folding): Child {
  const inside = calledWith(program, child.program);
  return { ...child, snapshot: apply(inside, child.snapshot, record, at) };
}

function changeChildren(draft: SnapshotDraft, change: (child: Child) => Child): void {
  for (const [id, child] of draft.children.entries()) {
    draft.children = draft.children.set(id, change(child));
  }
}

// A plan that is replaced while it runs: what has ended keeps its result, and a step under way that the new plan
// has just so goes on as it is, in the same attempt. Everything else begins by the new plan.

/** Returns the steps of a running plan that stay when another plan replaces it. */
export function keptOf(child: Child, plan: unknown): Pick<ModifyRecord, "done" | "rounds"> {
  const results = resultsOf(child);
  const going = [...goingOn(child, plan).keys()];
  const rounds = going.flatMap((id) => (results[id] == null ? [] : [[id, results[id]]]));
  const done = doneIn(child);
  return rounds.length === 0 ? { done } : { done, rounds: Object.fromEntries(rounds) };
}

/** Returns the outputs of the ended steps of a plan's graph. */
export function doneIn(child: Child): Readonly<Record<string, unknown>> {
  const { program, snapshot } = child;
  const open = new Set([...snapshot.open.values()].map(({ node }) => node));
  const ended = program.nodes.filter(
    ({ index }) => (snapshot.ordinals.get(index) ?? 0) > 0 && !open.has(index),
  );
  const ids = ended.flatMap(({ index }) => stepAt(program, index) ?? []);
  const own = Object.entries(resultsOf(child)).filter(([id]) => ids.includes(id));
  return { ...(snapshot.input.done as object | undefined), ...Object.fromEntries(own) };
}

function resultsOf({ program, snapshot }: Child): Readonly<Record<string, unknown>> {
  const { results = {} } = shownState(program, snapshot) as { readonly results?: object };
  return results as Readonly<Record<string, unknown>>;
}

/** The step that a node of a plan's graph does: it writes `results = { id: result }`. */
function stepAt({ nodes }: Program, node: number): string | undefined {
  const written: ExprIr | undefined = nodes[node]?.ir.writes[0]?.value;
  return written?.kind === "object" ? written.entries[0]?.key : undefined;
}

/** The open node runs of the steps that another plan has just so, by the ids of the steps. */
function goingOn({ program, snapshot }: Child, plan: unknown): ReadonlyMap<string, NodeRun> {
  const [before, after] = [stepTexts(snapshot.input.plan), stepTexts(plan)];
  const found = [...snapshot.open.values()].flatMap((run): [string, NodeRun][] => {
    const id = stepAt(program, run.node);
    const isSame = id !== undefined && before.get(id) === after.get(id);
    return isSame ? [[id, run]] : [];
  });
  return new Map(found);
}

/** Each step as one text, whatever the order of its members; what is null is not there. */
function stepTexts(plan: unknown): ReadonlyMap<string, string> {
  const { steps } = plan as { readonly steps: readonly Readonly<Record<string, unknown>>[] };
  return new Map(
    steps.map((step) => {
      const members = Object.entries(step).filter(([, value]) => value != null);
      return [String(step.id), canonicalJson(Object.fromEntries(members))];
    }),
  );
}

/** The records with which a plan's graph begins in the place of another, which say who goes on. */
export function withCarried(
  before: Child | undefined,
  program: Program,
  records: readonly RecordBody[],
): readonly RecordBody[] {
  const [first, ...more] = records;
  if (before?.modified === undefined || first?.kind !== "run") return records;
  const going = goingOn(before, before.modified.plan);
  const carried = first.flow.flatMap((op): Carried[] => {
    const from = op.op === "activate" ? going.get(stepAt(program, op.node) ?? "") : undefined;
    return op.op === "activate" && from !== undefined ? [{ from: from.id, id: op.id }] : [];
  });
  return carried.length === 0 ? records : [{ ...first, carried }, ...more];
}

/** A plan's graph that has begun, with the node runs of the one before that go on in it. */
function carriedOver(
  { program, before, at }: { readonly program: Program; before: Snapshot; readonly at: number },
  begun: Snapshot,
  carried: readonly Carried[] = [],
): Snapshot {
  const draft = asDraft({ ...begun });
  keepSessions(before, draft);
  for (const one of carried) carry(before, draft, one);
  updateWaiting(draft, at);
  updateSleep(program, draft, at);
  return draft;
}

/** Steps that have ended may have left some. */
function keepSessions({ scopes }: Snapshot, draft: SnapshotDraft): void {
  const sessions = scopes.get(ROOT)?.sessions;
  const root = must(draft.scopes, ROOT, "scope");
  if (sessions !== undefined) draft.scopes = draft.scopes.set(ROOT, { ...root, sessions });
}

/** It keeps its number and its name, its journal with them, and takes the place of the one that was to begin. */
function carry(before: Snapshot, draft: SnapshotDraft, { from, id }: Carried): void {
  const was = must(before.open, from, "node run");
  const run = was.status === "stopped" ? restartNodeRun(was) : was;
  const { node, frame, seq, scope: at } = must(draft.open, id, "node run");
  const scope = must(draft.scopes, at, "scope");
  draft.open = draft.open.delete(id).set(from, { ...run, node, frame, seq, scope: at });
  draft.scopes = draft.scopes.set(at, { ...scope, turns: scope.turns.set(node, [from]) });
  draft.ordinals = draft.ordinals.set(node, run.ordinal);
  const asked = before.interrupts.get(from);
  if (asked !== undefined) draft.interrupts = draft.interrupts.set(from, asked);
  const readSteers = before.mail.readSteers.get(from);
  if (readSteers !== undefined)
    draft.mail = { ...draft.mail, readSteers: draft.mail.readSteers.set(from, readSteers) };
}

// Finds a node run wherever it is open: in the run itself, or in a graph that a node run has called.

export interface Located {
  /** The graph that it is a node of, and how that stands. */
  readonly program: Program;
  readonly snapshot: Snapshot;
  readonly run: NodeRun;
  /** The node runs that called the graphs around it, outermost first. */
  readonly callers: readonly Caller[];
}

export interface Caller {
  readonly run: NodeRun;
  /** Its place in the order of the graph, and which of its attempts made the call. */
  readonly place: string;
  /** `go#1`; of the second graph that the agent `ask` called as a tool: `ask.Look#1.2`. */
  readonly label: string;
  readonly node: string;
}

export function locate(program: Program, snapshot: Snapshot, id: number): Located | undefined {
  const own = snapshot.open.get(id);
  if (own !== undefined) return { program, snapshot, run: own, callers: NO_CALLERS };
  const callers: Caller[] = [];
  let at = { program, snapshot };
  for (;;) {
    const run = at.snapshot.open.get(id);
    if (run !== undefined) return { ...at, run, callers };
    const home = at.snapshot.homes.get(id);
    const caller = home === undefined ? undefined : at.snapshot.open.get(home);
    const child = home === undefined ? undefined : at.snapshot.children.get(home);
    if (caller === undefined || child === undefined) return undefined;
    const node = at.program.nodes[caller.node]?.ir.name ?? "";
    const place = callPlace(placeText(caller), child.begun);
    const label = callerLabel({ node, ordinal: caller.ordinal }, child.tool);
    callers.push({ run: caller, place, label, node: callerName(node, child.tool) });
    at = { program: calledWith(at.program, child.program), snapshot: child.snapshot };
  }
}

const NO_CALLERS: readonly never[] = [];

/** Names the place of a call. A later attempt calls again, so its node runs have other names. */
export function callPlace(place: string, attempt: number): string {
  return attempt === 1 ? place : `${place}:${attempt}`;
}

/** Returns the lasting name of a node run within the whole run. */
export function nodeRunPlace({ callers, run }: Pick<Located, "callers" | "run">): string {
  if (callers.length === 0) return placeText(run);
  return [...callers.map(({ place }) => place), placeText(run)].join("/");
}

/** `go#1 › search#2`: for people. */
export function labelOf({ program, run, callers }: Located): string {
  const own = `${program.nodes[run.node]?.ir.name ?? ""}#${run.ordinal}`;
  return [...callers.map(({ label }) => label), own].join(" › ");
}
