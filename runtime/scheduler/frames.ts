/** Reads and writes fields: as each frame sees them, when frames end and join, and those of an agent's own. */

import {
  canonicalJson,
  type ExprIr,
  type FieldIr,
  type Ir,
  type ReducerIr,
  type ReducerName,
  withoutSpans,
} from "../../dsl/index.ts";
import { type Reducer, reduceKept, type ShownValue, settle, show } from "../state/fold-writes.ts";
import { compareKeys, keyText, type OrderKey } from "../state/order-key.ts";
import type { Patch } from "../state/patch.ts";
import { IntMap, plain, SharedList } from "../state/persistent.ts";
import { resultMisfit } from "./expressions/assert-fits.ts";
import { type Functions, resultOf, scopeNames } from "./expressions/calls.ts";
import { evaluate } from "./expressions/evaluate.ts";
import { CallFailed } from "./expressions/evaluation-errors.ts";
import type { FlowOp } from "./flow/flow-op.ts";
import type { Program, ProgramField } from "./program/program.ts";
import type { SnapshotDraft } from "./snapshot/draft.ts";
import type { FrameWrite } from "./snapshot/parts.ts";
import { must, ROOT, type Snapshot } from "./snapshot/snapshot.ts";

// Ends and joins frames, and decides which writes become visible where.

/** Stands in a write for its node where none names reducers for it: what a `set` or a person writes. */
export const NO_NODE = -1;

const NONE = SharedList.empty<FrameWrite>();

/** No change that people see. */
export const UNSEEN: readonly Patch[] = [];

/** A token ends; a frame without any ends too and leaves its writes to its parent. */
export function endToken(draft: SnapshotDraft, id: number): void {
  let frame = must(draft.frames, id, "frame");
  // Not by calling itself: a loop whose node also leads elsewhere opens a frame in a frame each time.
  while (frame.live <= 1 && frame.id !== ROOT) {
    const parent = must(draft.frames, frame.parent, "frame");
    const ended = parent.ended.append(frame.writes).append(frame.ended);
    draft.frames = draft.frames.delete(frame.id).set(parent.id, { ...parent, ended });
    frame = must(draft.frames, parent.id, "frame");
  }
  draft.frames = draft.frames.set(frame.id, { ...frame, live: frame.live - 1 });
}

/** The joined frames end; what they and the lines between wrote becomes visible in `into`. */
export function fold(
  program: Program,
  draft: SnapshotDraft,
  op: FlowOp & { readonly op: "fold" },
): readonly Patch[] {
  const collected = new Set<FrameWrite>();
  const between = new Set<number>();
  const { frames } = draft;
  for (const id of op.frames) {
    for (let at = frames.get(id); at !== undefined && at.id !== op.line; ) {
      for (const write of at.writes) collected.add(write);
      for (const write of at.ended) collected.add(write);
      between.add(at.id);
      at = frames.get(at.parent);
    }
    dropFrame(draft, id, op.line);
  }
  if (op.into === op.line) {
    handOver(draft, between);
    changeLive(draft, op.line, 1);
  }
  return foldWrites(program, draft, op.into, op.into === op.line, collected);
}

/** All that a closed fork wrote is in its line now, also where a branch that nobody waited for is still under way. */
function handOver(draft: SnapshotDraft, between: ReadonlySet<number>): void {
  for (const id of between) {
    const frame = draft.frames.get(id);
    if (frame === undefined) continue;
    draft.frames = draft.frames.set(id, { ...frame, writes: NONE, ended: NONE });
  }
}

function changeLive(draft: SnapshotDraft, id: number, by: number): void {
  const frame = must(draft.frames, id, "frame");
  draft.frames = draft.frames.set(id, { ...frame, live: frame.live + by });
}

/** Takes a frame whose token has moved on out of the tree, with the lines above it that no token is left in. */
function dropFrame(draft: SnapshotDraft, id: number, line: number): void {
  const frame = must(draft.frames, id, "frame");
  if (id === line || frame.live > 1) {
    changeLive(draft, id, -1);
    return;
  }
  const parent = must(draft.frames, frame.parent, "frame");
  const live = parent.live - 1;
  draft.frames = draft.frames.delete(id).set(parent.id, { ...parent, live });
  if (live === 0 && parent.id !== line) dropFrame(draft, parent.id, line);
}

/**
 * Folds writes, and with them those of lines that ended, into a frame in the order of the graph. `each`: the one whose
 * items have ended, whose own fields end with them.
 */
export function foldWrites(
  program: Program,
  draft: SnapshotDraft,
  into: number,
  withEnded: boolean,
  collected: Set<FrameWrite>,
  each?: number,
): readonly Patch[] {
  const frame = must(draft.frames, into, "frame");
  if (withEnded) for (const write of frame.ended) collected.add(write);
  const writes = [...collected]
    .filter(({ field }) => !isLeft(program, field, { into, each }))
    .sort((a, b) => compareKeys(a.key, b.key));
  let view = frame.view;
  for (const { field, reducer, values } of batches(program, writes)) {
    const seen = view.get(field) ?? keptView(draft, into, field);
    view = view.set(field, foldAll(reducer, seen, values));
  }
  const kept = into === ROOT ? frame.writes : frame.writes.append(writes);
  const ended = withEnded ? NONE : frame.ended;
  draft.frames = draft.frames.set(into, { ...frame, view, writes: kept, ended });
  if (into !== ROOT) return UNSEEN;
  noteKept(program, draft, writes);
  return showAnew(program, draft, new Set(writes.map(({ field }) => field)));
}

/** An item's field is not seen outside of the item. */
function isLeft(
  program: Program,
  field: number,
  { into, each }: { readonly into: number; readonly each: number | undefined },
): boolean {
  const ir = program.fields[field]?.ir;
  if (ir?.scope !== "item") return false;
  return into === ROOT || (each !== undefined && ir.owner === program.eaches[each]?.ir.id);
}

interface WriteBatch {
  readonly field: number;
  readonly reducer: Reducer;
  readonly values: unknown[];
}

/**
 * Returns the writes in batches that one reducer folds of one field: a reducer in TypeScript is
 * called once for each.
 */
function batches(program: Program, writes: readonly FrameWrite[]): readonly WriteBatch[] {
  const all: WriteBatch[] = [];
  const last = new Map<number, WriteBatch & { readonly linked: Reducer }>();
  for (const write of writes) {
    const { field, value } = write;
    const linked = linkedReducerOf(program, write);
    const open = last.get(field);
    if (open !== undefined && isSameReducer(open.linked, linked)) {
      open.values.push(value);
      continue;
    }
    const batch = {
      field,
      reducer: withResults(linked, program.functions),
      values: [value],
      linked,
    };
    last.set(field, batch);
    all.push(batch);
  }
  return all;
}

/** Several nodes may name one function of TypeScript with the same arguments. */
function isSameReducer(one: Reducer, other: Reducer): boolean {
  if (one === other) return true;
  if (one.called === undefined || other.called === undefined) return false;
  return canonicalJson(withoutSpans(one.called)) === canonicalJson(withoutSpans(other.called));
}

function foldAll(reducer: Reducer, seen: unknown, values: readonly unknown[]): unknown {
  if (reducer.fold !== undefined) return reducer.fold(plain(seen), values);
  return values.reduce((current, value) => reduceKept(reducer, current, value), seen);
}

/**
 * Computes the visible values of these fields: the fold of all writes that still count, in the
 * order of the graph. Behind the last open fork that is the value that the root sees.
 */
export function showAnew(
  program: Program,
  draft: SnapshotDraft,
  fields: ReadonlySet<number>,
): readonly Patch[] {
  if (fields.size === 0) return UNSEEN;
  const patches: Patch[] = [];
  const left = writesLeft(draft, fields);
  for (const field of fields) {
    if (program.fields[field]?.ir.scope === "item") continue;
    const kept = batches(program, left.get(field) ?? []).reduce<unknown>(
      (seen, { reducer, values }) => foldAll(reducer, seen, values),
      keptView(draft, ROOT, field),
    );
    const value = plain(kept);
    const name = fieldName(program, field);
    if (value !== undefined) {
      const change = settle(name, draft.shown.get(field), value);
      draft.shown = draft.shown.set(field, change.shown);
      patches.push(...change.patches);
    } else if (draft.shown.get(field) !== undefined) {
      draft.shown = draft.shown.delete(field);
      patches.push({ op: "remove", path: [name] });
    }
  }
  return patches;
}

/** Returns the writes that the root does not see yet, by field, in the order of the graph. */
function writesLeft(
  { frames }: Snapshot,
  fields: ReadonlySet<number>,
): ReadonlyMap<number, readonly FrameWrite[]> {
  if (frames.size === 1) return new Map();
  const left = new Set<FrameWrite>();
  for (const { writes, ended } of frames.values()) {
    for (const write of writes) if (fields.has(write.field)) left.add(write);
    for (const write of ended) if (fields.has(write.field)) left.add(write);
  }
  const sorted = [...left].sort((a, b) => compareKeys(a.key, b.key));
  return Map.groupBy(sorted, ({ field }) => field);
}

export function fieldName(program: Program, field: number): string {
  return program.fields[field]?.ir.name ?? `field ${field}`;
}

/** The reducer of a write: the field's own, the one that its node names for its output, or the built-in one that a `set` names. */
export function reducerOf(program: Program, write: FrameWrite): Reducer {
  return withResults(linkedReducerOf(program, write), program.functions);
}

function linkedReducerOf(program: Program, write: FrameWrite): Reducer {
  const reducer = overrideOf(program, write) ?? program.fields[write.field]?.reducer;
  if (reducer === undefined) throw new Error(`M9000: no field ${write.field}`);
  return reducer;
}

function overrideOf(program: Program, { via, node, field }: FrameWrite): Reducer | undefined {
  if (via === undefined) return undefined;
  if (node === NO_NODE) return { name: via as ReducerName };
  return program.nodes[node]?.overrides.get(fieldName(program, field));
}

// Reads the state as one line of nodes sees it.

/** Returns a field as a frame sees it: its own line back to the root, forks as they were. */
export function viewOf(snapshot: Snapshot, frame: number, field: number): unknown {
  return plain(keptView(snapshot, frame, field));
}

/**
 * Returns the stored form of a field as a frame sees it, for reducers: a list that is appended to
 * is a `SharedList`.
 */
export function keptView(snapshot: Snapshot, frame: number, field: number): unknown {
  for (let at = snapshot.frames.get(frame); at !== undefined; at = snapshot.frames.get(at.parent)) {
    const value = at.view.get(field);
    if (value !== undefined) return value;
  }
  return undefined;
}

// State of an agent's own: one value an instance, and an instance is a node in one scope, the run itself or an
// item. It outlasts the node's runs, retries and loops there; no other node sees it.

/** The lasting name of an instance: its node's, and for items the item's place in the order of the graph. */
export function agentId(snapshot: Snapshot, node: string, scope: number): string {
  return idAt(node, must(snapshot.scopes, scope, "scope").path);
}

function idAt(node: string, path: OrderKey): string {
  return path.length === 0 ? node : `${node}@${keyText(path)}`;
}

/** The scope of an instance that has written something of its own, or that runs; its number is of no use to anybody else. */
export function scopeOfAgent(
  { instances, scopes }: Snapshot,
  { id, node }: { readonly id: string; readonly node: string },
): number | undefined {
  const all = [...instances.entries(), ...scopes.entries()];
  return all.find(([, { path }]) => idAt(node, path) === id)?.[0];
}

/** Returns the value of an instance's own field; its default before the first write. */
export function ownValue(snapshot: Snapshot, scope: number, field: number): unknown {
  const shown = snapshot.instances.get(scope)?.fields.get(field);
  return shown === undefined ? viewOf(snapshot, ROOT, field) : plain(shown.value);
}

/** All that the instance of a node in a scope has of its own, by field. */
export function ownState(
  program: Program,
  snapshot: Snapshot,
  at: { readonly node: string; readonly scope: number },
): Record<string, unknown> {
  const own = program.fields.filter(({ ir }) => ir.scope === "agent" && ir.owner === at.node);
  return Object.fromEntries(
    own.map(({ ir, index }) => [ir.name, ownValue(snapshot, at.scope, index)]),
  );
}

/** Lets an instance write; the patches are those of its own fields. */
export function writeOwn(
  program: Program,
  draft: SnapshotDraft,
  { index, ir }: ProgramField,
  write: FrameWrite,
): readonly Patch[] {
  const { scope = ROOT } = write;
  const own = draft.instances.get(scope) ?? {
    path: must(draft.scopes, scope, "scope").path,
    fields: IntMap.empty<ShownValue>(),
  };
  const before = own.fields.get(index) ?? initial(draft, index);
  const change = show(ir.name, before, reducerOf(program, write), write);
  draft.instances = draft.instances.set(scope, {
    ...own,
    fields: own.fields.set(index, change.shown),
  });
  return change.patches;
}

function initial(snapshot: Snapshot, field: number): ShownValue | undefined {
  const value = viewOf(snapshot, ROOT, field);
  return value === undefined ? undefined : { value };
}

/** Tells whether the state that people see leaves the field out: an agent's own, and those of items. */
export function isUnshown({ ir: { scope } }: ProgramField): boolean {
  return scope === "agent" || scope === "item";
}

/** Returns the value of an item's field in the line of an item; undefined elsewhere, where the field is unknown. */
export function itemView(snapshot: Snapshot, frame: number, field: number): unknown {
  for (let at = snapshot.frames.get(frame); at !== undefined; at = snapshot.frames.get(at.parent)) {
    if (at.id === ROOT) return undefined;
    const value = at.view.get(field);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Begins an item: its own fields have their defaults, whatever items before it wrote. */
export function beginItem(
  program: Program,
  draft: SnapshotDraft,
  frame: number,
  each: number,
): void {
  const id = program.eaches[each]?.ir.id;
  for (const { ir, index } of program.fields) {
    if (ir.scope !== "item" || ir.owner !== id) continue;
    const value = must(draft.frames, ROOT, "frame").view.get(index);
    const at = must(draft.frames, frame, "frame");
    if (value !== undefined)
      draft.frames = draft.frames.set(frame, { ...at, view: at.view.set(index, value) });
  }
}

// Collects writes to fields that outlive a run, for the graph that called this one.

/** Tells whether a field is a thread's or a user's. */
export function isKept({ ir: { scope } }: ProgramField): boolean {
  return scope === "thread" || scope === "user";
}

/** Notes writes that have come to the root: those of a branch only once it is folded into it. */
export function noteKept(
  { keeps, fields }: Program,
  draft: SnapshotDraft,
  writes: readonly FrameWrite[],
): void {
  if (!keeps) return;
  const kept = writes.filter(({ field }) => fields[field] !== undefined && isKept(fields[field]));
  if (kept.length > 0) draft.kept = draft.kept.append(kept);
}

// Reducers with TypeScript in them: what they fold to is asked for like any other call.

/**
 * A reducer of a field as it can be known before a run; one that calls TypeScript has no fold yet. `file`: where its names
 * are meant, if that is not the file of the graph that folds with it.
 */
export function linkReducer(
  reducer: ReducerIr,
  { field, types }: { readonly field: FieldIr | undefined; readonly types: Ir["types"] },
  file?: string,
): Reducer {
  const name = reducer.custom ? "custom" : (reducer.name as ReducerName);
  if (reducer.custom || scopeNames(reducer.args).length > 0) {
    const misfit =
      field && ((value: unknown) => resultMisfit(field, types, { name: reducer.name, value }));
    return {
      name,
      called: reducer,
      ...(file === undefined ? {} : { file }),
      ...(misfit === undefined ? {} : { misfit }),
    };
  }
  const [by] = reducer.args;
  if (by === undefined) return { name };
  return { name, by: constantOf(by) as (item: unknown) => unknown };
}

/** The reducer with the results of this decision. */
function withResults(reducer: Reducer, functions: Functions | undefined): Reducer {
  const { called, file, misfit } = reducer;
  if (called === undefined) return reducer;
  const meant = {
    ...(file === undefined ? {} : { file }),
    ...(misfit === undefined ? {} : { misfit }),
  };
  return {
    ...reducer,
    fold: (current, values) => {
      const args = [current, ...values];
      const call = { name: called.name, args, reducer: called, ...meant };
      const { value, failure } = resultOf(functions, call);
      if (failure !== undefined) throw new CallFailed(failure);
      return value;
    },
  };
}

function constantOf(expression: ExprIr): unknown {
  const noNames = (): undefined => undefined;
  return evaluate(expression, noNames);
}
