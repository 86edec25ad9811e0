/** What nobody waits for any more ends: items that failed, and what a quorum went on without. */
import type { IntMap } from "../state/int-map.ts";
import type { FlowOp, WaitingToken } from "./flow-op.ts";
import { endToken, type Folded, showAnew } from "./frames.ts";
import { eachPlace } from "./places.ts";
import type { Program } from "./program.ts";
import { changeScope, closeRun, endItem, placed } from "./scopes.ts";
import { type Expansion, type JoinState, must, type Snapshot } from "./snapshot.ts";
import { withoutReader } from "./stream.ts";

/** Everything an item still has open ends, and what it wrote is undone: an item counts as a whole or not at all. */
export function dropItem(program: Program, snapshot: Snapshot, id: number): Folded {
  const item = must(snapshot.scopes, id, "scope");
  const expansion = must(snapshot.expansions, item.expansion, "expansion");
  const { snapshot: emptied, fields } = emptyItems(snapshot, expansion, [id]);
  const dropped = changeExpansion(endItem(emptied, id), expansion.id, ({ dropped }) => ({
    dropped: dropped + 1,
  }));
  return showAnew(program, dropped, fields);
}

/** Node runs, uses of `each` and waiting tokens end; what their lines committed before stays. */
export function cancel(
  program: Program,
  snapshot: Snapshot,
  { scope, runs, expansions, waiting }: FlowOp & { readonly op: "cancel" },
): Folded {
  let next = snapshot;
  for (const id of runs) {
    const run = must(next.open, id, "node run");
    next = endToken(closeRun(next, run), run.frame);
  }
  for (const token of waiting) next = withdraw(next, scope, token);
  const fields = new Set<number>();
  for (const id of expansions) {
    const closed = cancelExpansion(program, next, id);
    next = closed.snapshot;
    for (const field of closed.fields) fields.add(field);
  }
  return showAnew(program, next, fields);
}

/** One token that comes too late for its round of a join. */
export function late(
  snapshot: Snapshot,
  { join, source, scope, frame }: FlowOp & { readonly op: "late" },
): Snapshot {
  const counted = changeScope(snapshot, scope, ({ joins }) => {
    const state = must(joins, join, "join");
    const left = (state.owed.get(source) ?? 1) - 1;
    const owed = left > 0 ? state.owed.set(source, left) : state.owed.delete(source);
    return { joins: joins.set(join, { ...state, owed }) };
  });
  return endToken(counted, frame);
}

/** Takes the oldest waiting token away from a source. */
export function withoutOldest(state: JoinState, source: number): JoinState["tokens"] {
  const rest = (state.tokens.get(source) ?? []).slice(1);
  return rest.length === 0 ? state.tokens.delete(source) : state.tokens.set(source, rest);
}

function withdraw(snapshot: Snapshot, scope: number, token: WaitingToken): Snapshot {
  const { join, source, frame } = token;
  const gone = changeScope(snapshot, scope, ({ joins, armed }) => {
    const state = must(joins, join, "join");
    const left = (state.tokens.get(source) ?? []).filter((other) => other.frame !== frame);
    const tokens = left.length === 0 ? state.tokens.delete(source) : state.tokens.set(source, left);
    return {
      joins: joins.set(join, { ...state, tokens }),
      armed: tokens.size === 0 ? armed.delete(join) : armed,
    };
  });
  return endToken(gone, frame);
}

interface Emptied {
  readonly snapshot: Snapshot;
  /** The fields whose writes are undone. */
  readonly fields: ReadonlySet<number>;
}

function cancelExpansion(program: Program, snapshot: Snapshot, id: number): Emptied {
  const expansion = must(snapshot.expansions, id, "expansion");
  const items = [...snapshot.scopes.values()].filter((scope) => scope.expansion === id);
  const emptied = emptyItems(
    snapshot,
    expansion,
    items.map((scope) => scope.id),
  );
  const { scope, each, frame } = expansion;
  const scopes = items.reduce((left, item) => left.delete(item.id), emptied.snapshot.scopes);
  const expansions = emptied.snapshot.expansions.delete(id);
  const closed = changeScope(
    withoutReader({ ...emptied.snapshot, scopes, expansions }, expansion),
    scope,
    ({ active, places }) => ({
      active: active - 1,
      places: placed(places, eachPlace(program, each), -1),
    }),
  );
  return { snapshot: endToken(closed, frame), fields: emptied.fields };
}

/** Takes everything out of items but their own scopes. */
function emptyItems(
  snapshot: Snapshot,
  { frame: line }: Expansion,
  items: readonly number[],
): Emptied {
  const own = items.map((id) => must(snapshot.scopes, id, "scope"));
  const scopes = descendants(snapshot.scopes, items);
  const frames = descendants(
    snapshot.frames,
    own.map(({ frame }) => frame),
  );
  const parent = must(snapshot.frames, line, "frame");
  const fields = new Set<number>();
  for (const id of frames) {
    const { writes, ended } = must(snapshot.frames, id, "frame");
    for (const { field } of writes) fields.add(field);
    for (const { field } of ended) fields.add(field);
  }
  const gone = own.filter(({ frame }) => frames.has(frame)).length;
  const left = {
    ...snapshot,
    open: without(snapshot.open, ({ scope }) => scopes.has(scope)),
    expansions: without(snapshot.expansions, ({ scope }) => scopes.has(scope)),
    scopes: without(snapshot.scopes, ({ id }) => scopes.has(id) && !items.includes(id)),
    frames: without(snapshot.frames, ({ id }) => frames.has(id)).set(line, {
      ...parent,
      live: parent.live - gone,
    }),
  };
  return { snapshot: left, fields };
}

function changeExpansion(
  snapshot: Snapshot,
  id: number,
  change: (expansion: Expansion) => Partial<Expansion>,
): Snapshot {
  const expansion = must(snapshot.expansions, id, "expansion");
  const expansions = snapshot.expansions.set(id, { ...expansion, ...change(expansion) });
  return { ...snapshot, expansions };
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

function without<T>(map: IntMap<T>, drop: (value: T) => boolean): IntMap<T> {
  let kept = map;
  for (const [key, value] of map.entries()) if (drop(value)) kept = kept.delete(key);
  return kept;
}
