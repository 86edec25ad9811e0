/** Folds one flow operation into a snapshot: structure only, nothing is decided here and no expression evaluated. */
import { IntMap } from "../state/int-map.ts";
import type { Patch } from "../state/patch.ts";
import { reduceKept } from "../state/reducers.ts";
import { SharedList } from "../state/shared-list.ts";
import { show } from "../state/shown.ts";
import { detach, endDetached } from "./detached.ts";
import { cancel, dropItem, late, withoutOldest } from "./drop.ts";
import type { FlowOp } from "./flow-op.ts";
import { endToken, type Folded, fieldName, fold, foldWrites, quiet, reducerOf } from "./frames.ts";
import { writeOwn } from "./instances.ts";
import { forgetItems } from "./item-mail.ts";
import { eachPlace, nodePlace } from "./places.ts";
import type { Program } from "./program.ts";
import { changeScope, endItem, placed } from "./scopes.ts";
import {
  emptyJoin,
  emptyScope,
  type Frame,
  type FrameWrite,
  type JoinState,
  keptView,
  must,
  newNodeRun,
  ROOT,
  type Snapshot,
} from "./snapshot.ts";
import { endStream, pull, taken, withoutReader, withReader } from "./stream.ts";

export function applyOp(program: Program, snapshot: Snapshot, op: FlowOp): Folded {
  switch (op.op) {
    case "activate":
      return quiet(activate(snapshot, op));
    case "arrive":
      return quiet(arrive(snapshot, op));
    case "fire":
      return quiet(fire(snapshot, op));
    case "late":
      return quiet(late(snapshot, op));
    case "cancel":
      return cancel(program, snapshot, op);
    case "quorum":
      return quiet(op.isHandled ? snapshot : { ...snapshot, blocked: op.failure });
    case "fork":
      return quiet(fork(snapshot, op));
    case "detach":
      return quiet(detach(program, snapshot, op));
    case "detached":
      return quiet(endDetached(snapshot, op.scope));
    case "fold":
      return fold(program, snapshot, op);
    case "expand":
      return quiet(expand(program, snapshot, op));
    case "taken":
      return quiet(taken(snapshot, op));
    case "pull":
      return quiet(pull(snapshot, op.expansion));
    case "stream-end":
      return quiet(endStream(snapshot, op.expansion));
    case "item":
      return quiet(startItem(snapshot, op));
    case "item-skip":
      return dropItem(program, snapshot, op.scope);
    case "item-end":
      return quiet(endItem(snapshot, op.scope));
    case "expanded":
      return endExpansion(program, forgetItems(program, snapshot, op.expansion), op.expansion);
    case "write":
      throw new Error("M9000: a route's write is applied with the commit's writes");
    case "end":
      return quiet(endToken(snapshot, op.frame));
    case "count":
      return quiet(
        changeScope(snapshot, op.scope, (scope) => ({
          counts: scope.counts.set(op.route, (scope.counts.get(op.route) ?? 0) + 1),
        })),
      );
  }
}

/** Lets a node run write a field: into its frame, and into the state that people see. */
export function applyWrites(
  program: Program,
  snapshot: Snapshot,
  frame: number,
  writes: readonly FrameWrite[],
): Folded {
  const [own] = writes;
  const field = program.fields[own?.field ?? -1];
  if (own !== undefined && field?.ir.scope === "agent")
    return writeOwn(program, snapshot, field, own);
  let shown = snapshot.shown;
  const patches: Patch[] = [];
  const at = must(snapshot.frames, frame, "frame");
  let view = at.view;
  for (const write of writes) {
    const reducer = reducerOf(program, write);
    const change = show(fieldName(program, write.field), shown.get(write.field), reducer, write);
    shown = shown.set(write.field, change.shown);
    patches.push(...change.patches);
    const seen = view.get(write.field) ?? keptView(snapshot, frame, write.field);
    view = view.set(write.field, reduceKept(reducer, seen, write.value));
  }
  const kept = frame === ROOT ? at.writes : at.writes.append(writes);
  const frames = snapshot.frames.set(frame, { ...at, view, writes: kept });
  return { snapshot: { ...snapshot, shown, frames }, patches };
}

type Op<K extends FlowOp["op"]> = FlowOp & { readonly op: K };

function activate(snapshot: Snapshot, op: Op<"activate">): Snapshot {
  const scope = must(snapshot.scopes, op.scope, "scope");
  const turns = scope.turns.get(op.node) ?? [];
  const { op: _, ...of } = op;
  const run = newNodeRun({
    ...of,
    line: snapshot.line,
    key: [...must(snapshot.frames, op.frame, "frame").path, op.seq],
    status: turns.length === 0 ? "ready" : "queued",
  });
  const place = nodePlace(op.node);
  const opened = {
    ...snapshot,
    open: snapshot.open.set(op.id, run),
    ordinals: snapshot.ordinals.set(op.node, op.ordinal),
    next: { ...snapshot.next, run: op.id + 1 },
  };
  return changeScope(opened, op.scope, () => ({
    active: scope.active + 1,
    turns: scope.turns.set(op.node, [...turns, op.id]),
    places: placed(scope.places, place, 1),
  }));
}

function arrive(snapshot: Snapshot, op: Op<"arrive">): Snapshot {
  return changeScope(snapshot, op.scope, ({ joins, armed }) => {
    const join = joins.get(op.join) ?? emptyJoin;
    const waiting = join.tokens.get(op.source) ?? [];
    const tokens = join.tokens.set(op.source, [...waiting, { frame: op.frame, seq: op.seq }]);
    return { joins: joins.set(op.join, { ...join, tokens }), armed: armed.set(op.join, true) };
  });
}

function fire(snapshot: Snapshot, op: Op<"fire">): Snapshot {
  const { owed = [], at } = op;
  return changeScope(snapshot, op.scope, ({ joins, armed }) => {
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

function fork(snapshot: Snapshot, op: Op<"fork">): Snapshot {
  const parent = must(snapshot.frames, op.parent, "frame");
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
  return {
    ...snapshot,
    frames: snapshot.frames
      .set(op.frame, child)
      .set(op.parent, { ...parent, live: parent.live + 1 }),
    next: { ...snapshot.next, frame: op.frame + 1 },
  };
}

function expand(program: Program, snapshot: Snapshot, op: Op<"expand">): Snapshot {
  const { op: _, expansion: id, stream, ...of } = op;
  const place = eachPlace(program, op.each);
  const read = stream === undefined ? {} : { stream: { reader: stream.reader, isOver: false } };
  const begun = { id, ...of, ...read, started: 0, ended: 0, dropped: 0 };
  const numbered = {
    ...snapshot,
    expansions: snapshot.expansions.set(id, begun),
    next: { ...snapshot.next, expansion: id + 1 },
  };
  const opened = stream === undefined ? numbered : withReader(numbered, op, stream);
  return changeScope(opened, op.scope, (scope) => ({
    active: scope.active + 1,
    places: placed(scope.places, place, 1),
  }));
}

function startItem(snapshot: Snapshot, op: Op<"item">): Snapshot {
  const expansion = must(snapshot.expansions, op.expansion, "expansion");
  const { last } = expansion.stream ?? {};
  const scope = {
    ...emptyScope({
      id: op.scope,
      parent: expansion.scope,
      expansion: op.expansion,
      index: op.index,
      frame: op.frame,
      path: must(snapshot.frames, op.frame, "frame").path,
    }),
    ...(last === undefined ? {} : { streamed: last }),
  };
  return {
    ...snapshot,
    scopes: snapshot.scopes.set(op.scope, scope),
    expansions: snapshot.expansions.set(expansion.id, {
      ...expansion,
      started: expansion.started + 1,
    }),
    next: { ...snapshot.next, scope: op.scope + 1 },
  };
}

/** All items are through: what they wrote is seen from here on. */
function endExpansion(program: Program, snapshot: Snapshot, id: number): Folded {
  const expansion = must(snapshot.expansions, id, "expansion");
  const place = eachPlace(program, expansion.each);
  const closed = changeScope(
    withoutReader({ ...snapshot, expansions: snapshot.expansions.delete(id) }, expansion),
    expansion.scope,
    (scope) => ({
      active: scope.active - 1,
      places: placed(scope.places, place, -1),
    }),
  );
  return foldWrites(program, closed, expansion.frame, true, new Set());
}
