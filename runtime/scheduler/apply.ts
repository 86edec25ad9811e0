/** Folds one flow operation into a snapshot: structure only, nothing is decided here and no expression evaluated. */
import { IntMap } from "../state/int-map.ts";
import { compareKeys } from "../state/order-key.ts";
import type { Patch } from "../state/patch.ts";
import { type Reducer, reduceKept } from "../state/reducers.ts";
import { plain } from "../state/shared-list.ts";
import { settle, show } from "../state/shown.ts";
import { withResults } from "./called-reducer.ts";
import type { FlowOp } from "./flow-op.ts";
import { forgetItems } from "./item-mail.ts";
import { eachPlace, nodePlace } from "./places.ts";
import type { Program } from "./program.ts";
import {
  emptyScope,
  type Frame,
  type FrameWrite,
  keptView,
  must,
  type NodeRun,
  newNodeRun,
  ROOT,
  type Scope,
  type Snapshot,
  viewOf,
} from "./snapshot.ts";

/** A snapshot and what people see change on the way to it. */
export interface Folded {
  readonly snapshot: Snapshot;
  readonly patches: readonly Patch[];
}

export function applyOp(program: Program, snapshot: Snapshot, op: FlowOp): Folded {
  switch (op.op) {
    case "activate":
      return quiet(activate(snapshot, op));
    case "arrive":
      return quiet(arrive(program, snapshot, op));
    case "fire":
      return quiet(fire(snapshot, op));
    case "fork":
      return quiet(fork(snapshot, op));
    case "fold":
      return fold(program, snapshot, op);
    case "expand":
      return quiet(expand(program, snapshot, op));
    case "item":
      return quiet(startItem(snapshot, op));
    case "item-skip":
      return quiet(skipItem(snapshot, op.scope));
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

/** Lets a node run write: into its frame, and into the state that people see. */
export function applyWrites(
  program: Program,
  snapshot: Snapshot,
  frame: number,
  writes: readonly FrameWrite[],
): Folded {
  let shown = snapshot.shown;
  const patches: Patch[] = [];
  const at = must(snapshot.frames, frame, "frame");
  let view = at.view;
  for (const write of writes) {
    const reducer = reducerOf(program, write);
    const change = show(nameOf(program, write.field), shown.get(write.field), reducer, write);
    shown = shown.set(write.field, change.shown);
    patches.push(...change.patches);
    const seen = view.get(write.field) ?? keptView(snapshot, frame, write.field);
    view = view.set(write.field, reduceKept(reducer, seen, write.value));
  }
  const kept = frame === ROOT ? at.writes : [...at.writes, ...writes];
  const frames = snapshot.frames.set(frame, { ...at, view, writes: kept });
  return { snapshot: { ...snapshot, shown, frames }, patches };
}

/** A node run is over: its turn passes to the next one that waits for its node. */
export function closeRun(snapshot: Snapshot, run: NodeRun): Snapshot {
  const closed = { ...snapshot, open: snapshot.open.delete(run.id) };
  const turns = must(snapshot.scopes, run.scope, "scope").turns.get(run.node) ?? [];
  const waiting = turns.filter((id) => id !== run.id);
  const place = nodePlace(run.node);
  const freed = changeScope(closed, run.scope, (scope) => ({
    active: scope.active - 1,
    turns: waiting.length === 0 ? scope.turns.delete(run.node) : scope.turns.set(run.node, waiting),
    places: scope.places.set(place, (scope.places.get(place) ?? 1) - 1),
  }));
  const heir = waiting[0] === undefined ? undefined : freed.open.get(waiting[0]);
  if (heir?.status !== "queued") return freed;
  return { ...freed, open: freed.open.set(heir.id, { ...heir, status: "ready" }) };
}

const quiet = (snapshot: Snapshot): Folded => ({ snapshot, patches: [] });

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
    places: scope.places.set(place, (scope.places.get(place) ?? 0) + 1),
  }));
}

function arrive(program: Program, snapshot: Snapshot, op: Op<"arrive">): Snapshot {
  const sources = program.joins[op.join]?.nodes ?? [];
  return changeScope(snapshot, op.scope, (scope) => {
    const join = scope.joins.get(op.join) ?? { tokens: sources.map(() => []), fired: 0 };
    const tokens = join.tokens.map((waiting, source) =>
      source === op.source ? [...waiting, { frame: op.frame, seq: op.seq }] : waiting,
    );
    return { joins: scope.joins.set(op.join, { ...join, tokens }) };
  });
}

function fire(snapshot: Snapshot, op: Op<"fire">): Snapshot {
  return changeScope(snapshot, op.scope, (scope) => {
    const join = must(scope.joins, op.join, "join");
    const tokens = join.tokens.map((waiting) => waiting.slice(1));
    return { joins: scope.joins.set(op.join, { tokens, fired: join.fired + 1 }) };
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
    writes: [],
    ended: [],
  };
  return {
    ...snapshot,
    frames: snapshot.frames
      .set(op.frame, child)
      .set(op.parent, { ...parent, live: parent.live + 1 }),
    next: { ...snapshot.next, frame: op.frame + 1 },
  };
}

/** The joined frames end; what they and the lines between wrote becomes visible in `into`. */
function fold(program: Program, snapshot: Snapshot, op: Op<"fold">): Folded {
  const collected = new Set<FrameWrite>();
  let next = snapshot;
  for (const id of op.frames) {
    for (let at = snapshot.frames.get(id); at !== undefined && at.id !== op.line; ) {
      for (const write of [...at.writes, ...at.ended]) collected.add(write);
      at = snapshot.frames.get(at.parent);
    }
    next = dropFrame(next, id, op.line);
  }
  if (op.into === op.line) next = changeLive(next, op.line, 1);
  return foldWrites(program, next, op.into, op.into === op.line, collected);
}

function changeLive(snapshot: Snapshot, id: number, by: number): Snapshot {
  const frame = must(snapshot.frames, id, "frame");
  return { ...snapshot, frames: snapshot.frames.set(id, { ...frame, live: frame.live + by }) };
}

function foldWrites(
  program: Program,
  snapshot: Snapshot,
  into: number,
  withEnded: boolean,
  collected: Set<FrameWrite>,
): Folded {
  const frame = must(snapshot.frames, into, "frame");
  if (withEnded) for (const write of frame.ended) collected.add(write);
  const writes = [...collected].sort((a, b) => compareKeys(a.key, b.key));
  let view = frame.view;
  for (const { field, reducer, values } of batches(program, writes)) {
    const seen = view.get(field) ?? keptView(snapshot, into, field);
    view = view.set(field, foldAll(reducer, seen, values));
  }
  const kept = into === ROOT ? frame.writes : [...frame.writes, ...writes];
  const ended = withEnded ? [] : frame.ended;
  const frames = snapshot.frames.set(into, { ...frame, view, writes: kept, ended });
  const folded = { ...snapshot, frames };
  return into === ROOT ? settleFields(program, folded, writes) : quiet(folded);
}

interface Batch {
  readonly field: number;
  readonly reducer: Reducer;
  readonly values: unknown[];
}

/** What one reducer folds of one field at a time: a reducer in TypeScript is asked once for all of it. */
function batches(program: Program, writes: readonly FrameWrite[]): readonly Batch[] {
  const all: Batch[] = [];
  const last = new Map<number, Batch & { readonly via: string | undefined }>();
  for (const write of writes) {
    const { field, value, via } = write;
    const open = last.get(field);
    if (open !== undefined && open.via === via) {
      open.values.push(value);
      continue;
    }
    const batch = { field, reducer: reducerOf(program, write), values: [value], via };
    last.set(field, batch);
    all.push(batch);
  }
  return all;
}

function foldAll(reducer: Reducer, seen: unknown, values: readonly unknown[]): unknown {
  if (reducer.fold !== undefined) return reducer.fold(plain(seen), values);
  return values.reduce((current, value) => reduceKept(reducer, current, value), seen);
}

/** With the root's forks closed, what people see is the fold in the order of the graph. */
function settleFields(program: Program, snapshot: Snapshot, writes: readonly FrameWrite[]): Folded {
  let shown = snapshot.shown;
  const patches: Patch[] = [];
  for (const field of new Set(writes.map((write) => write.field))) {
    const value = viewOf(snapshot, ROOT, field);
    const change = settle(nameOf(program, field), shown.get(field), value);
    shown = shown.set(field, change.shown);
    patches.push(...change.patches);
  }
  return { snapshot: { ...snapshot, shown }, patches };
}

/** Takes a frame whose token has moved on out of the tree, with the lines above it that no token is left in. */
function dropFrame(snapshot: Snapshot, id: number, line: number): Snapshot {
  if (id === line) return changeLive(snapshot, line, -1);
  const frame = must(snapshot.frames, id, "frame");
  const parent = must(snapshot.frames, frame.parent, "frame");
  const live = parent.live - 1;
  const frames = snapshot.frames.delete(id).set(parent.id, { ...parent, live });
  const dropped = { ...snapshot, frames };
  return live === 0 && parent.id !== line ? dropFrame(dropped, parent.id, line) : dropped;
}

/** A token ends; a frame without any ends too and leaves its writes to its parent. */
function endToken(snapshot: Snapshot, id: number): Snapshot {
  const frame = must(snapshot.frames, id, "frame");
  const live = frame.live - 1;
  if (live > 0 || id === ROOT) {
    return { ...snapshot, frames: snapshot.frames.set(id, { ...frame, live }) };
  }
  const parent = must(snapshot.frames, frame.parent, "frame");
  const ended = [...parent.ended, ...frame.writes, ...frame.ended];
  const frames = snapshot.frames.delete(id).set(parent.id, { ...parent, ended });
  return endToken({ ...snapshot, frames }, parent.id);
}

function expand(program: Program, snapshot: Snapshot, op: Op<"expand">): Snapshot {
  const { op: _, expansion: id, ...of } = op;
  const place = eachPlace(program, op.each);
  const opened = {
    ...snapshot,
    expansions: snapshot.expansions.set(id, { id, ...of, started: 0, ended: 0 }),
    next: { ...snapshot.next, expansion: id + 1 },
  };
  return changeScope(opened, op.scope, (scope) => ({
    active: scope.active + 1,
    places: scope.places.set(place, (scope.places.get(place) ?? 0) + 1),
  }));
}

function startItem(snapshot: Snapshot, op: Op<"item">): Snapshot {
  const expansion = must(snapshot.expansions, op.expansion, "expansion");
  const scope = emptyScope({
    id: op.scope,
    parent: expansion.scope,
    expansion: op.expansion,
    index: op.index,
    frame: op.frame,
  });
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

function endItem(snapshot: Snapshot, id: number): Snapshot {
  const scope = must(snapshot.scopes, id, "scope");
  const expansion = must(snapshot.expansions, scope.expansion, "expansion");
  return {
    ...snapshot,
    scopes: snapshot.scopes.delete(id),
    expansions: snapshot.expansions.set(expansion.id, { ...expansion, ended: expansion.ended + 1 }),
  };
}

/** Everything an item still has open ends; what it has committed stays. */
function skipItem(snapshot: Snapshot, id: number): Snapshot {
  const item = must(snapshot.scopes, id, "scope");
  const expansion = must(snapshot.expansions, item.expansion, "expansion");
  const scopes = descendants(snapshot.scopes.values(), id);
  const frames = descendants(snapshot.frames.values(), item.frame);
  const parent = must(snapshot.frames, expansion.frame, "frame");
  const written = [...frames].flatMap((frame) => {
    const { writes, ended } = must(snapshot.frames, frame, "frame");
    return [...writes, ...ended];
  });
  const live = frames.size === 0 ? parent.live : parent.live - 1;
  const kept = {
    ...snapshot,
    open: without(snapshot.open, ({ scope }) => scopes.has(scope)),
    expansions: without(snapshot.expansions, ({ scope }) => scopes.has(scope)),
    frames: without(snapshot.frames, (frame) => frames.has(frame.id)).set(parent.id, {
      ...parent,
      live,
      ended: [...parent.ended, ...written],
    }),
  };
  const inner = without(kept.scopes, (scope) => scopes.has(scope.id) && scope.id !== id);
  return endItem({ ...kept, scopes: inner }, id);
}

function descendants(
  all: readonly { readonly id: number; readonly parent: number }[],
  of: number,
): ReadonlySet<number> {
  const found = new Set<number>(all.some(({ id }) => id === of) ? [of] : []);
  // Parents have lower numbers than their children, and `all` comes by rising number.
  for (const { id, parent } of all) if (found.has(parent)) found.add(id);
  return found;
}

function without<T>(map: IntMap<T>, drop: (value: T) => boolean): IntMap<T> {
  let kept = map;
  for (const [key, value] of map.entries()) if (drop(value)) kept = kept.delete(key);
  return kept;
}

/** All items are through: what they wrote is seen from here on. */
function endExpansion(program: Program, snapshot: Snapshot, id: number): Folded {
  const expansion = must(snapshot.expansions, id, "expansion");
  const place = eachPlace(program, expansion.each);
  const closed = changeScope(
    { ...snapshot, expansions: snapshot.expansions.delete(id) },
    expansion.scope,
    (scope) => ({
      active: scope.active - 1,
      places: scope.places.set(place, (scope.places.get(place) ?? 1) - 1),
    }),
  );
  return foldWrites(program, closed, expansion.frame, true, new Set());
}

export function changeScope(
  snapshot: Snapshot,
  id: number,
  change: (scope: Scope) => Partial<Scope>,
): Snapshot {
  const scope = must(snapshot.scopes, id, "scope");
  return { ...snapshot, scopes: snapshot.scopes.set(id, { ...scope, ...change(scope) }) };
}

function nameOf(program: Program, field: number): string {
  return program.fields[field]?.ir.name ?? `field ${field}`;
}

function reducerOf(program: Program, write: FrameWrite) {
  const field = program.fields[write.field];
  const override =
    write.via === undefined
      ? undefined
      : program.nodes[write.node]?.overrides.get(nameOf(program, write.field));
  const reducer = override ?? field?.reducer;
  if (reducer === undefined) throw new Error(`M9000: no field ${write.field}`);
  return withResults(reducer, program.functions);
}
