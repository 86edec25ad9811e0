/** Folds one flow operation into a snapshot: structure only, nothing is decided here and no expression evaluated. */
import { IntMap } from "../../state/int-map.ts";
import type { Patch } from "../../state/patch.ts";
import { reduceKept } from "../../state/reducers.ts";
import { SharedList } from "../../state/shared-list.ts";
import { show } from "../../state/shown.ts";
import {
  endToken,
  fieldName,
  fold,
  foldWrites,
  keptView,
  noteKept,
  reducerOf,
  UNSEEN,
  writeOwn,
} from "../frames.ts";
import { forgetItems } from "../mail.ts";
import { eachPlace, nodePlace, type Program } from "../program/program.ts";
import {
  changeScope,
  draftOf,
  endItem,
  type SnapshotDraft,
  withTokensAt,
} from "../snapshot/draft.ts";
import {
  emptyJoin,
  emptyScope,
  type Frame,
  type FrameWrite,
  type JoinState,
} from "../snapshot/parts.ts";
import { must, newNodeRun, ROOT, type Snapshot } from "../snapshot/snapshot.ts";
import { detach, endDetached, takeHome } from "./detached.ts";
import { closeReader, endStream, openReader, pull, takeStreamItem } from "./each-streams.ts";
import { abandon, cancel, dropItem, late, withoutOldest } from "./end-unneeded-work.ts";
import type { FlowOp } from "./flow-op.ts";

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

/** What changes nothing that people see. */
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
      startItem(draft, op);
      break;
    case "item-end":
      endItem(draft, op.scope);
      break;
    case "write":
      throw new Error("M9000: a route's write is applied with the commit's writes");
    case "end":
      endToken(draft, op.frame);
      break;
    case "count":
      changeScope(draft, op.scope, ({ counts }) => ({
        counts: counts.set(op.route, (counts.get(op.route) ?? 0) + 1),
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
  const change = show(fieldName(program, index), draft.shown.get(index), reducer, write);
  const seen = at.view.get(index) ?? keptView(draft, frame, index);
  const view = at.view.set(index, reduceKept(reducer, seen, value));
  const writes = frame === ROOT ? at.writes : at.writes.append([write]);
  if (frame === ROOT) noteKept(program, draft, [write]);
  draft.shown = draft.shown.set(index, change.shown);
  draft.frames = draft.frames.set(frame, { ...at, view, writes });
  return { patches: change.patches, own: UNSEEN };
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
    key: [...must(draft.frames, frame, "frame").path, seq],
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
    view: IntMap.empty(),
    writes: SharedList.empty(),
    ended: SharedList.empty(),
  };
  draft.frames = draft.frames
    .set(op.frame, child)
    .set(op.parent, { ...parent, live: parent.live + 1 });
  draft.next = { ...draft.next, frame: op.frame + 1 };
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

function startItem(draft: SnapshotDraft, op: OpOf<"item">): void {
  const expansion = must(draft.expansions, op.expansion, "expansion");
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
  return foldWrites(program, draft, expansion.frame, true, new Set());
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
