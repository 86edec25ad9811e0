/** Decides and folds what people do to a run under way: rewinds, edits, overrides of a node, held branches. */

import type { DottedIr, NodeIr } from "../../dsl/index.ts";
import type {
  BranchRecord,
  EditRecord,
  NodeUse,
  RewindRecord,
  UseRecord,
} from "../records/control-records.ts";
import type { RecordBody } from "../records/records.ts";
import { settle } from "../state/fold-writes.ts";
import { freezeJson } from "../state/json.ts";
import type { Patch } from "../state/patch.ts";
import { IntMap } from "../state/persistent.ts";
import { noUsage } from "../usage.ts";
import type { Completion, Control } from "./completion.ts";
import { NO_NODE, noteKept } from "./frames.ts";
import { withoutInterrupts } from "./interrupts.ts";
import { readdressed } from "./mail.ts";
import type { Program } from "./program/program.ts";
import {
  asDraft,
  changeRun,
  clockedIn,
  clockedOut,
  isWaiting,
  type SnapshotDraft,
} from "./snapshot/draft.ts";
import type { Expansion, Scope } from "./snapshot/parts.ts";
import {
  type Child,
  type Fold,
  must,
  type NodeRun,
  ROOT,
  type Snapshot,
  stepAt,
  Trail,
} from "./snapshot/snapshot.ts";
import { saidSince } from "./steers.ts";

// Rewinds a run to an earlier step; counters go on, so that no number is used twice.

/** The record of a rewind; none when the run has no such step on its path. */
export function rewindRecord(
  snapshot: Snapshot,
  { step, to, reason, anew: from }: Control & { readonly verb: "rewind" },
  fold: Fold,
): readonly RecordBody[] {
  const target = stepAt(snapshot, step, fold);
  if (target === undefined) return [];
  const renumbered = openIn(target).map((id, index) => ({
    from: id,
    id: snapshot.next.run + index,
  }));
  const why = reason === undefined ? {} : { reason };
  const what = from === undefined ? {} : { anew: from };
  return [{ kind: "control", verb: "rewind", ...why, step, to, ...what, renumbered }];
}

/** Takes up the snapshot of then. What was spent since is spent: usage and time go on. */
export function foldRewind(
  snapshot: Snapshot,
  record: Omit<RewindRecord, "to">,
  fold: Fold,
): Snapshot {
  const { step, renumbered, reason = "rewind" } = record;
  const found = stepAt(snapshot, step, fold);
  // What was open then is asked again: an answer may have come since, and been undone.
  const target = found && withoutInterrupts(found);
  if (target === undefined) throw new Error(`M9000: a rewind to step ${step}, which is not there`);
  const line = snapshot.line + 1;
  const ids = new Map(renumbered.map(({ from, id }) => [from, id]));
  return {
    ...target,
    isStep: false,
    runningSince: undefined,
    status: "paused",
    held: true,
    reason,
    usage: snapshot.usage,
    activeMs: snapshot.activeMs,
    line,
    grants: snapshot.grants,
    trail: Trail.endingAt(target),
    ...begunAnew(renamed(target, ids, line), ids.get(record.anew ?? -1)),
    mail: saidSince(snapshot, readdressed(target.mail, ids)),
    next: { ...snapshot.next, run: snapshot.next.run + renumbered.length },
  };
}

/** The open node runs of a run and of the graphs that it has called. */
function openIn({ open, children }: Snapshot): readonly number[] {
  const own = [...open.values()].map(({ id }) => id);
  return [...own, ...[...children.values()].flatMap(({ snapshot }) => openIn(snapshot))];
}

type RenamedNodeRun = Pick<
  Snapshot,
  "open" | "scopes" | "expansions" | "children" | "homes" | "mail"
>;

/** One of them starts as if it had never been tried, and calls its graph again. */
function begunAnew(renamed: RenamedNodeRun, id: number | undefined): RenamedNodeRun {
  const run = id === undefined ? undefined : renamed.open.get(id);
  if (run === undefined) return renamed;
  return {
    ...renamed,
    open: renamed.open.set(run.id, restartNodeRun(run)),
    children: renamed.children.delete(run.id),
    homes: withoutHomesOf(renamed.homes, run.id),
  };
}

/** Removes the node runs that were open in the graph that this one had called. */
function withoutHomesOf(homes: IntMap<number>, caller: number): IntMap<number> {
  let left = homes;
  for (const [id, home] of homes.entries()) if (home === caller) left = left.delete(id);
  return left;
}

/** The node runs of then, under new numbers, and those of the graphs that they had called. */
function renamed(
  target: Snapshot,
  ids: ReadonlyMap<number, number>,
  line?: number,
): RenamedNodeRun {
  let children = IntMap.empty<Child>();
  let homes = IntMap.empty<number>();
  for (const [from, child] of target.children.entries()) {
    const id = ids.get(from) ?? from;
    const snapshot = stoppedThere(child.snapshot, ids);
    children = children.set(id, { ...child, snapshot });
    for (const inner of openIn(snapshot)) homes = homes.set(inner, id);
  }
  const open = reopened(target, ids, line);
  const mail = readdressed(target.mail, ids);
  const expansions = withReaders(target.expansions, ids);
  return { open, scopes: withTurns(target.scopes, ids), expansions, children, homes, mail };
}

/** A called graph as it was then; it goes on when its caller does. */
function stoppedThere(child: Snapshot, ids: ReadonlyMap<number, number>): Snapshot {
  const then = withoutInterrupts(child);
  const stopped = { ...then, ...renamed(then, ids), runningSince: undefined, held: false };
  const isUnderWay = then.status === "running" || then.status === "waiting" || then.held;
  return isUnderWay ? { ...stopped, status: "paused", reason: "rewind" } : stopped;
}

/**
 * Returns the node runs that can start again. In called graphs the name of the caller says that
 * they were rewound.
 */
function reopened(
  { open }: Snapshot,
  ids: ReadonlyMap<number, number>,
  line: number | undefined,
): IntMap<NodeRun> {
  let runs = IntMap.empty<NodeRun>();
  for (const run of open.values()) {
    const id = ids.get(run.id) ?? run.id;
    const status = run.status === "running" ? "ready" : run.status;
    const free = run.isHeld === true ? { isHeld: undefined } : NOTHING;
    runs = runs.set(id, {
      ...run,
      ...free,
      id,
      line: line ?? run.line,
      status,
      runningSince: undefined,
    });
  }
  return runs;
}

const NOTHING = {} as const;

function withReaders(
  expansions: IntMap<Expansion>,
  ids: ReadonlyMap<number, number>,
): IntMap<Expansion> {
  let changed = expansions;
  for (const expansion of expansions.values()) {
    const { stream } = expansion;
    const reader = stream && ids.get(stream.reader);
    if (stream === undefined || reader === undefined) continue;
    changed = changed.set(expansion.id, { ...expansion, stream: { ...stream, reader } });
  }
  return changed;
}

function withTurns(scopes: IntMap<Scope>, ids: ReadonlyMap<number, number>): IntMap<Scope> {
  let changed = scopes;
  for (const scope of scopes.values()) {
    let turns = scope.turns;
    for (const [node, waiting] of scope.turns.entries()) {
      turns = turns.set(
        node,
        waiting.map((id) => ids.get(id) ?? id),
      );
    }
    changed = changed.set(scope.id, { ...scope, turns });
  }
  return changed;
}

/** Restarts a node run with a new attempt. Neither it nor a later retry of it is served anything of the earlier ones. */
export function restartNodeRun(run: NodeRun): NodeRun {
  const attempt = run.attempt + 1;
  return {
    ...run,
    status: "ready",
    attempt,
    reason: "resume",
    sessionFrom: attempt,
    anewFrom: attempt,
    feedback: undefined,
    notBefore: undefined,
    asks: undefined,
    inbox: undefined,
    made: undefined,
    repairs: 0,
    errors: 0,
    retries: {},
    usage: noUsage,
    activeMs: 0,
  };
}

// Sets fields of a run to values that a person gives.

/** The record of an edit; none before the run has begun, after its good end, or where nothing changes. */
export function editRecord(
  program: Program,
  snapshot: Snapshot,
  { values, reason }: Omit<EditRecord, "kind" | "patches">,
): readonly RecordBody[] {
  const { status } = snapshot;
  if (status === "created" || status === "succeeded") return [];
  const { patches } = withValues(program, snapshot, freezeJson(values));
  if (patches.length === 0) return [];
  return [{ kind: "edit", values, patches, ...(reason === undefined ? {} : { reason }) }];
}

export function foldEdit(
  program: Program,
  snapshot: Snapshot,
  { values }: Omit<EditRecord, "kind">,
) {
  const draft = asDraft(withValues(program, snapshot, values).snapshot);
  const writes = Object.entries(values).map(([name, value]) => {
    const field = program.fieldNumbers.get(name) ?? -1;
    return { key: [], field, value, via: "replace", node: NO_NODE };
  });
  noteKept(program, draft, writes);
  return draft;
}

/** Branches under way see them as well, but for what they have written themselves. */
function withValues(
  program: Program,
  snapshot: Snapshot,
  values: EditRecord["values"],
): { readonly snapshot: Snapshot; readonly patches: readonly Patch[] } {
  const root = must(snapshot.frames, ROOT, "frame");
  let { shown } = snapshot;
  let { view } = root;
  const patches: Patch[] = [];
  for (const [name, value] of Object.entries(values)) {
    const field = program.fieldNumbers.get(name) ?? -1;
    const change = settle(name, shown.get(field), value);
    patches.push(...change.patches);
    shown = shown.set(field, change.shown);
    view = view.set(field, value);
  }
  const frames = snapshot.frames.set(ROOT, { ...root, view });
  return { snapshot: { ...snapshot, shown, frames }, patches };
}

// Gives a node another model, other tools or another prompt from its next attempt on.

/** The record of it; none before the run has begun and after its good end. */
export function useRecord(
  program: Program,
  { status }: Snapshot,
  { node, use }: Omit<UseRecord, "kind">,
): readonly RecordBody[] {
  const [first = ""] = node.split("/");
  if (status === "created" || status === "succeeded" || !program.nodeNumbers.has(first)) return [];
  return [{ kind: "use", node, use }];
}

/** `go/search` is a node of the graph that `go` calls: in the calls that are under way, and in those to come. */
export function foldUse(
  program: Program,
  snapshot: Snapshot,
  { node, use }: Omit<UseRecord, "kind">,
): Snapshot {
  const before = snapshot.uses?.[node];
  const changed = { ...snapshot, uses: { ...snapshot.uses, [node]: { ...before, ...use } } };
  const [caller, ...inner] = node.split("/");
  let { children } = changed;
  for (const [id, child] of children.entries()) {
    const run = changed.open.get(id);
    if (inner.length === 0 || program.nodes[run?.node ?? -1]?.ir.name !== caller) continue;
    const within = { node: inner.join("/"), use };
    children = children.set(id, {
      ...child,
      snapshot: foldUse(child.program, child.snapshot, within),
    });
  }
  return { ...changed, children };
}

/** Returns the overrides with which a called graph begins: those of its nodes. */
export function usesWithin({ uses }: Snapshot, caller: string): Pick<Snapshot, "uses"> {
  const prefix = `${caller}/`;
  const own = Object.entries(uses ?? {}).filter(([node]) => node.startsWith(prefix));
  if (own.length === 0) return {};
  return { uses: Object.fromEntries(own.map(([node, use]) => [node.slice(prefix.length), use])) };
}

/** Returns the overrides of an attempt that starts. One that resumes keeps those it had, because its calls are in the log. */
export function usingAt({ uses }: Snapshot, run: NodeRun, node: string): NodeRun["using"] {
  if (run.using?.attempt === run.attempt) return run.using;
  const use = uses?.[node];
  return use === undefined ? { attempt: run.attempt } : { attempt: run.attempt, use };
}

/** The node as an attempt uses it. */
export function nodeInUse(node: NodeIr, use: NodeUse | undefined): NodeIr {
  if (use === undefined) return node;
  const { model, tools } = use;
  return {
    ...node,
    ...(model === undefined ? {} : { model: { kind: "literal", value: model } }),
    ...(tools === undefined ? {} : { tools: tools.map(toolNamed) }),
  };
}

/** `docs.search`, `docs.*`. */
export function toolNamed(name: string): DottedIr {
  return name.split(".");
}

// Holds single node runs: they neither start nor commit while everything else goes on.

/** None where there is no such node run, or it is as it is wanted: as good twice as once. */
export function branchRecords(
  program: Program,
  snapshot: Snapshot,
  { at: _, calls: __, ...asked }: Completion & { readonly kind: "branch" },
): readonly RecordBody[] {
  const run = snapshot.open.get(asked.id);
  if (run === undefined || (run.isHeld === true) === (asked.verb === "hold")) return [];
  const node = program.nodes[run.node]?.ir.name ?? "";
  return [{ ...asked, node, attempt: run.attempt }];
}

/** A held node run spends no time. */
export function foldBranch(draft: SnapshotDraft, { id, verb }: BranchRecord, at: number): void {
  const isOn = draft.status === "running" || draft.status === "waiting";
  changeRun(draft, id, (run) => {
    if (verb === "hold") return { ...clockedOut(run, at), isHeld: true };
    const free: NodeRun = { ...run, isHeld: undefined };
    return isOn && run.status === "running" ? clockedIn(free, at) : free;
  });
}

/** Tells whether only held node runs, and questions, are left to wait for. */
export function isHeldUp(snapshot: Snapshot): boolean {
  return heldRuns(snapshot).length > 0 && !hasRunningBranch(snapshot);
}

/** Lists the held node runs of this graph and of the graphs that it has called. */
export function heldRuns({ open, children }: Snapshot): readonly NodeRun[] {
  const own = open.values().filter(({ isHeld }) => isHeld === true);
  return [...own, ...children.values().flatMap(({ snapshot }) => heldRuns(snapshot))];
}

function hasRunningBranch({ open, children }: Snapshot): boolean {
  return open.values().some((run) => {
    if (run.isHeld === true) return false;
    if (run.status === "ready") return true;
    if (run.status !== "running") return false;
    const child = children.get(run.id)?.snapshot;
    return child === undefined ? !isWaiting(run) : hasRunningBranch(child);
  });
}
