/** Folds one flow operation into a snapshot: structure only, nothing is decided here and no expression evaluated. */

import { reduceKept, show } from "../../state/fold-writes.ts";
import type { Patch } from "../../state/patch.ts";
import { IntMap, SharedList } from "../../state/persistent.ts";
import {
  beginItem,
  endToken,
  fieldName,
  fold,
  foldWrites,
  keptView,
  noteKept,
  reducerOf,
  showAnew,
  UNSEEN,
  writeOwn,
} from "../frames.ts";
import { forgetItems } from "../mail.ts";
import { eachPlace, nodePlace, type Program } from "../program/program.ts";
import {
  changeScope,
  closeRun,
  draftOf,
  endItem,
  type SnapshotDraft,
  withTokensAt,
} from "../snapshot/draft.ts";
import {
  type Expansion,
  emptyJoin,
  emptyScope,
  type Frame,
  type FrameWrite,
  type JoinState,
} from "../snapshot/parts.ts";
import { must, type NodeRun, newNodeRun, ROOT, type Snapshot } from "../snapshot/snapshot.ts";
import { detach, endDetached, takeHome } from "./detached.ts";
import type { FlowOp, StreamSource, WaitingForReturn, WaitingToken } from "./flow-op.ts";

/** Changes the draft, and says what people see change. */
export function applyOp(program: Program, draft: SnapshotDraft, op: FlowOp): readonly Patch[] {
  switch (op.op) {
    case "cancel":
      return cancel(program, draft, op);
    case "fold":
      return fold(program, draft, op);
    case "item-skip":
      return dropItem(program, draft, op.scope);
    case "expanded":
      forgetItems(program, draft, op.expansion);
      return endExpansion(program, draft, op.expansion);
    case "each-failed":
      forgetItems(program, draft, op.expansion);
      return abandon(program, draft, op.expansion);
    default:
      move(program, draft, op);
      return UNSEEN;
  }
}

type OpOf<K extends FlowOp["op"]> = FlowOp & { readonly op: K };

/** Applies the operations that change nothing that people see. */
function move(
  program: Program,
  draft: SnapshotDraft,
  op: Exclude<FlowOp, OpOf<"cancel" | "fold" | "item-skip" | "expanded" | "each-failed">>,
): void {
  switch (op.op) {
    case "activate":
      activate(draft, op);
      break;
    case "arrive":
      arrive(draft, op);
      break;
    case "fire":
      fire(draft, op);
      break;
    case "late":
      late(draft, op);
      break;
    case "quorum":
      if (!op.isHandled) draft.blocked = op.failure;
      break;
    case "fork":
      fork(draft, op);
      break;
    case "detach":
      detach(program, draft, op);
      break;
    case "detached":
      endDetached(draft, op.scope);
      break;
    case "expand":
      expand(program, draft, op);
      break;
    case "taken":
      takeStreamItem(draft, op);
      break;
    case "pull":
      pull(draft, op.expansion);
      break;
    case "stream-end":
      endStream(draft, op.expansion);
      break;
    case "item":
      startItem(program, draft, op);
      break;
    case "item-end":
      endItem(draft, op.scope);
      break;
    case "write":
      throw new Error("M9000: a route's write is applied with the commit's writes");
    case "hand-over": {
      const { op: _, frame, ...waiting } = op;
      changeHanders(draft, frame, (handers) => [...handers, waiting]);
      break;
    }
    case "return":
      changeHanders(draft, op.frame, (handers) => handers.slice(0, op.left));
      break;
    case "end":
      endToken(draft, op.frame);
      break;
    case "count":
      changeScope(draft, op.scope, ({ counts }) => ({
        counts: counts.set(op.route, (counts.get(op.route) ?? 0) + 1),
      }));
      break;
    case "enter":
      changeScope(draft, op.scope, ({ rounds }) => ({
        rounds: op.nodes.reduce((left, node) => left.delete(node), rounds),
      }));
      break;
  }
}

/** The patches of a write: in the state that people see, or in an agent's own fields. */
export interface WrittenField {
  readonly patches: readonly Patch[];
  readonly own: readonly Patch[];
}

/** Lets a node run write a field: into its frame, and into the state that people see. */
export function applyWrite(
  program: Program,
  draft: SnapshotDraft,
  frame: number,
  write: FrameWrite,
): WrittenField {
  const { field: index, value } = write;
  const field = program.fields[index];
  if (field?.ir.scope === "agent") {
    return { patches: UNSEEN, own: writeOwn(program, draft, field, write) };
  }
  const reducer = reducerOf(program, write);
  const at = must(draft.frames, frame, "frame");
  // What people see of several reducers is worked out in the order of the graph, not in that of finishing.
  const isInOrder = field?.isMixed === true && draft.frames.size > 1;
  const change =
    field?.ir.scope === "item" || isInOrder
      ? undefined
      : show(fieldName(program, index), draft.shown.get(index), reducer, write);
  const seen = at.view.get(index) ?? keptView(draft, frame, index);
  const view = at.view.set(index, reduceKept(reducer, seen, value));
  const writes = frame === ROOT ? at.writes : at.writes.append([write]);
  if (frame === ROOT) noteKept(program, draft, [write]);
  if (change !== undefined) draft.shown = draft.shown.set(index, change.shown);
  draft.frames = draft.frames.set(frame, { ...at, view, writes });
  if (isInOrder) return { patches: showAnew(program, draft, new Set([index])), own: UNSEEN };
  return { patches: change?.patches ?? UNSEEN, own: UNSEEN };
}

function activate(draft: SnapshotDraft, op: OpOf<"activate">): void {
  const { id, node, ordinal, frame, seq, notBefore, iteration, sentinel } = op;
  const scope = must(draft.scopes, op.scope, "scope");
  const turns = scope.turns.get(node);
  const run = newNodeRun({
    id,
    line: draft.line,
    node,
    ordinal,
    frame,
    seq,
    key: must(draft.frames, frame, "frame").path.concat(seq),
    scope: op.scope,
    status: turns === undefined ? "ready" : "queued",
    args: op.args,
    notBefore,
    iteration,
    sentinel,
  });
  draft.open = draft.open.set(id, run);
  draft.ordinals = draft.ordinals.set(node, ordinal);
  draft.next = { ...draft.next, run: id + 1 };
  draft.scopes = draft.scopes.set(op.scope, {
    ...scope,
    active: scope.active + 1,
    turns: scope.turns.set(node, turns === undefined ? [id] : [...turns, id]),
    places: withTokensAt(scope.places, nodePlace(node), 1),
  });
}

function arrive(draft: SnapshotDraft, op: OpOf<"arrive">): void {
  changeScope(draft, op.scope, ({ joins, armed }) => {
    const join = joins.get(op.join) ?? emptyJoin;
    const waiting = join.tokens.get(op.source) ?? [];
    const tokens = join.tokens.set(op.source, [...waiting, { frame: op.frame, seq: op.seq }]);
    return { joins: joins.set(op.join, { ...join, tokens }), armed: armed.set(op.join, true) };
  });
}

function fire(draft: SnapshotDraft, op: OpOf<"fire">): void {
  const { owed = [], at } = op;
  changeScope(draft, op.scope, ({ joins, armed }) => {
    const join = must(joins, op.join, "join");
    const { firedAt: _, ...before } = join;
    let next: JoinState = { ...(owed.length === 0 ? join : before), fired: join.fired + 1 };
    if (at !== undefined) next = { ...next, firedAt: at };
    for (const [source] of join.tokens.entries()) {
      next = { ...next, tokens: withoutOldest(next, source) };
    }
    for (const source of owed) {
      next = { ...next, owed: next.owed.set(source, (next.owed.get(source) ?? 0) + 1) };
    }
    return {
      joins: joins.set(op.join, next),
      armed: next.tokens.size === 0 ? armed.delete(op.join) : armed,
    };
  });
}

function fork(draft: SnapshotDraft, op: OpOf<"fork">): void {
  const parent = must(draft.frames, op.parent, "frame");
  const child: Frame = {
    id: op.frame,
    parent: op.parent,
    path: [...parent.path, op.seq, op.branch],
    seq: op.seq,
    fork: op.fork,
    live: 1,
    ...(parent.handers === undefined ? {} : { handers: parent.handers }),
    view: IntMap.empty(),
    writes: SharedList.empty(),
    ended: SharedList.empty(),
  };
  draft.frames = draft.frames
    .set(op.frame, child)
    .set(op.parent, { ...parent, live: parent.live + 1 });
  draft.next = { ...draft.next, frame: op.frame + 1 };
}

function changeHanders(
  draft: SnapshotDraft,
  id: number,
  change: (handers: readonly WaitingForReturn[]) => readonly WaitingForReturn[],
): void {
  const { handers = [], ...frame } = must(draft.frames, id, "frame");
  const changed = change(handers);
  const now = changed.length === 0 ? frame : { ...frame, handers: changed };
  draft.frames = draft.frames.set(id, now);
}

function expand(program: Program, draft: SnapshotDraft, op: OpOf<"expand">): void {
  const { op: _, expansion: id, stream, ...of } = op;
  const place = eachPlace(program, op.each);
  const read = stream === undefined ? {} : { stream: { reader: stream.reader, isOver: false } };
  const begun = { id, ...of, ...read, started: 0, ended: 0, dropped: 0 };
  draft.expansions = draft.expansions.set(id, begun);
  draft.next = { ...draft.next, expansion: id + 1 };
  if (stream !== undefined) openReader(draft, op, stream);
  changeScope(draft, op.scope, (scope) => ({
    active: scope.active + 1,
    places: withTokensAt(scope.places, place, 1),
  }));
}

function startItem(program: Program, draft: SnapshotDraft, op: OpOf<"item">): void {
  const expansion = must(draft.expansions, op.expansion, "expansion");
  beginItem(program, draft, op.frame, expansion.each);
  const scope = emptyScope({
    id: op.scope,
    parent: expansion.scope,
    expansion: op.expansion,
    index: op.index,
    frame: op.frame,
    path: must(draft.frames, op.frame, "frame").path,
    streamed: expansion.stream?.last,
  });
  const started = expansion.started + 1;
  draft.scopes = draft.scopes.set(op.scope, scope);
  draft.expansions = draft.expansions.set(expansion.id, { ...expansion, started });
  draft.next = { ...draft.next, scope: op.scope + 1 };
}

/** All items are through: what they wrote is seen from here on. */
function endExpansion(program: Program, draft: SnapshotDraft, id: number): readonly Patch[] {
  const expansion = must(draft.expansions, id, "expansion");
  const place = eachPlace(program, expansion.each);
  draft.expansions = draft.expansions.delete(id);
  closeReader(draft, expansion);
  changeScope(draft, expansion.scope, (scope) => ({
    active: scope.active - 1,
    places: withTokensAt(scope.places, place, -1),
  }));
  return foldWrites(program, draft, expansion.frame, true, new Set(), expansion.each);
}

/** Folds the writes of frames that ended without a join into the final state, in the order of the graph. */
export function foldRoot(
  program: Program,
  snapshot: Snapshot,
): { readonly snapshot: SnapshotDraft; readonly patches: readonly Patch[] } {
  const draft = draftOf(snapshot);
  takeHome(draft);
  const patches = applyOp(program, draft, { op: "fold", frames: [], line: ROOT, into: ROOT });
  return { snapshot: draft, patches };
}

// Streams of an `each` as they are folded: a node run reads them, one item an attempt.

type Expand = FlowOp & { readonly op: "expand" };

interface StreamReader {
  readonly reader: number;
  readonly source: Omit<StreamSource, "expansion">;
}

/** Opens the node run that reads; it is no node's, and waits until there is room for an item. */
function openReader(
  draft: SnapshotDraft,
  { expansion, scope, frame, seq }: Expand,
  { reader: id, source }: StreamReader,
): void {
  const key = [...must(draft.frames, frame, "frame").path, seq];
  const of = { id, line: draft.line, node: -1, ordinal: 1, frame, seq, key, scope };
  const reader = newNodeRun({ ...of, status: "queued", source: { ...source, expansion } });
  draft.next = { ...draft.next, run: id + 1 };
  draft.open = draft.open.set(id, reader);
}

/** The item that was asked for is there; another one is asked for when there is room. */
function takeStreamItem(
  draft: SnapshotDraft,
  { expansion: id, value }: FlowOp & { readonly op: "taken" },
): void {
  const { expansion, stream, reader } = readerOf(draft, id);
  const read = { ...expansion, stream: { ...stream, last: { value } } };
  const waiting: NodeRun = { ...reader, status: "queued", attempt: reader.attempt + 1 };
  draft.expansions = draft.expansions.set(id, read);
  draft.open = draft.open.set(reader.id, waiting);
}

function pull(draft: SnapshotDraft, id: number): void {
  const { reader } = readerOf(draft, id);
  draft.open = draft.open.set(reader.id, { ...reader, status: "ready" });
}

/** No more items come. */
function endStream(draft: SnapshotDraft, id: number): void {
  const { expansion, stream, reader } = readerOf(draft, id);
  const over = { ...expansion, stream: { ...stream, isOver: true } };
  draft.expansions = draft.expansions.set(id, over);
  draft.open = draft.open.delete(reader.id);
}

/** The `each` is over, whatever its stream would still give. */
function closeReader(draft: SnapshotDraft, { stream }: Expansion): void {
  if (stream !== undefined) draft.open = draft.open.delete(stream.reader);
}

function readerOf(snapshot: Snapshot, id: number) {
  const expansion = must(snapshot.expansions, id, "expansion");
  const { stream } = expansion;
  if (stream === undefined) throw new Error(`M9000: expansion ${id} reads no stream`);
  return { expansion, stream, reader: must(snapshot.open, stream.reader, "node run") };
}

// Ends work that nobody waits for: failed items, and branches that a quorum went on without.

/** Everything an item still has open ends, and what it wrote is undone: an item counts as a whole or not at all. */
function dropItem(program: Program, draft: SnapshotDraft, id: number): readonly Patch[] {
  const item = must(draft.scopes, id, "scope");
  const { expansion: of } = item;
  const fields = emptyItems(draft, must(draft.expansions, of, "expansion"), [id]);
  endItem(draft, id);
  const expansion = must(draft.expansions, of, "expansion");
  draft.expansions = draft.expansions.set(of, { ...expansion, dropped: expansion.dropped + 1 });
  return showAnew(program, draft, fields);
}

/** Node runs, uses of `each` and waiting tokens end; what their lines committed before stays. */
function cancel(
  program: Program,
  draft: SnapshotDraft,
  { scope, runs, expansions, waiting }: FlowOp & { readonly op: "cancel" },
): readonly Patch[] {
  for (const id of runs) {
    const run = must(draft.open, id, "node run");
    closeRun(draft, run);
    endToken(draft, run.frame);
  }
  for (const token of waiting) withdraw(draft, scope, token);
  const fields = new Set<number>();
  for (const id of expansions) {
    const { frame } = must(draft.expansions, id, "expansion");
    for (const field of cancelExpansion(program, draft, id)) fields.add(field);
    endToken(draft, frame);
  }
  return showAnew(program, draft, fields);
}

/** One token that comes too late for its round of a join. */
function late(
  draft: SnapshotDraft,
  { join, source, scope, frame }: FlowOp & { readonly op: "late" },
): void {
  changeScope(draft, scope, ({ joins }) => {
    const state = must(joins, join, "join");
    const left = (state.owed.get(source) ?? 1) - 1;
    const owed = left > 0 ? state.owed.set(source, left) : state.owed.delete(source);
    return { joins: joins.set(join, { ...state, owed }) };
  });
  endToken(draft, frame);
}

/** Takes the oldest waiting token away from a source. */
function withoutOldest(state: JoinState, source: number): JoinState["tokens"] {
  const rest = (state.tokens.get(source) ?? []).slice(1);
  return rest.length === 0 ? state.tokens.delete(source) : state.tokens.set(source, rest);
}

function withdraw(draft: SnapshotDraft, scope: number, token: WaitingToken): void {
  const { join, source, frame } = token;
  changeScope(draft, scope, ({ joins, armed }) => {
    const state = must(joins, join, "join");
    const left = (state.tokens.get(source) ?? []).filter((other) => other.frame !== frame);
    const tokens = left.length === 0 ? state.tokens.delete(source) : state.tokens.set(source, left);
    return {
      joins: joins.set(join, { ...state, tokens }),
      armed: tokens.size === 0 ? armed.delete(join) : armed,
    };
  });
  endToken(draft, frame);
}

/** The fields whose writes are undone. */
type Undone = ReadonlySet<number>;

function cancelExpansion(program: Program, draft: SnapshotDraft, id: number): Undone {
  const expansion = must(draft.expansions, id, "expansion");
  const items = draft.scopes.values().flatMap((scope) => (scope.expansion === id ? scope.id : []));
  const fields = emptyItems(draft, expansion, items);
  const { scope, each } = expansion;
  for (const item of items) draft.scopes = draft.scopes.delete(item);
  draft.expansions = draft.expansions.delete(id);
  closeReader(draft, expansion);
  changeScope(draft, scope, ({ active, places }) => ({
    active: active - 1,
    places: withTokensAt(places, eachPlace(program, each), -1),
  }));
  return fields;
}

/** A failed `each`: what its items wrote is undone, of those that were through too, and its token can go on. */
function abandon(program: Program, draft: SnapshotDraft, id: number): readonly Patch[] {
  const { frame: line, seq } = must(draft.expansions, id, "expansion");
  const gone = new Set(cancelExpansion(program, draft, id));
  const frame = must(draft.frames, line, "frame");
  const place = [...frame.path, seq];
  const isOfItems = ({ key }: FrameWrite) =>
    key.length > place.length && place.every((part, index) => part === key[index]);
  for (const write of frame.ended) if (isOfItems(write)) gone.add(write.field);
  const ended = SharedList.of([...frame.ended].filter((write) => !isOfItems(write)));
  draft.frames = draft.frames.set(line, { ...frame, ended });
  return showAnew(program, draft, gone);
}

/** Takes everything out of items but their own scopes. */
function emptyItems(
  draft: SnapshotDraft,
  { frame: line }: Expansion,
  items: readonly number[],
): Undone {
  const own = items.map((id) => must(draft.scopes, id, "scope"));
  const scopes = descendants(draft.scopes, items);
  const frames = descendants(
    draft.frames,
    own.map(({ frame }) => frame),
  );
  const parent = must(draft.frames, line, "frame");
  const fields = new Set<number>();
  for (const id of frames) {
    const { writes, ended } = must(draft.frames, id, "frame");
    for (const { field } of writes) fields.add(field);
    for (const { field } of ended) fields.add(field);
  }
  const gone = own.filter(({ frame }) => frames.has(frame)).length;
  draft.open = withoutValues(draft.open, ({ scope }) => scopes.has(scope));
  draft.expansions = withoutValues(draft.expansions, ({ scope }) => scopes.has(scope));
  draft.scopes = withoutValues(draft.scopes, ({ id }) => scopes.has(id) && !items.includes(id));
  draft.frames = withoutValues(draft.frames, ({ id }) => frames.has(id)).set(line, {
    ...parent,
    live: parent.live - gone,
  });
  return fields;
}

/** These and everything below them; parents have lower numbers than their children. */
function descendants(
  all: IntMap<{ readonly id: number; readonly parent: number }>,
  of: readonly number[],
): ReadonlySet<number> {
  const found = new Set(of.filter((id) => all.get(id) !== undefined));
  for (const { id, parent } of all.values()) if (found.has(parent)) found.add(id);
  return found;
}

function withoutValues<T>(map: IntMap<T>, drop: (value: T) => boolean): IntMap<T> {
  let kept = map;
  for (const [key, value] of map.entries()) if (drop(value)) kept = kept.delete(key);
  return kept;
}
