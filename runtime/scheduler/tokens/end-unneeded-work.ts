/** Ends work that nobody waits for: failed items, and branches that a quorum went on without. */
import type { IntMap } from "../../state/int-map.ts";
import type { Patch } from "../../state/patch.ts";
import { SharedList } from "../../state/shared-list.ts";
import { endToken, showAnew } from "../frames.ts";
import { eachPlace, type Program } from "../program/program.ts";
import {
  changeScope,
  closeRun,
  endItem,
  type SnapshotDraft,
  withTokensAt,
} from "../snapshot/draft.ts";
import type { Expansion, FrameWrite, JoinState } from "../snapshot/parts.ts";
import { must } from "../snapshot/snapshot.ts";
import { closeReader } from "./each-streams.ts";
import type { FlowOp, WaitingToken } from "./flow-op.ts";

/** Everything an item still has open ends, and what it wrote is undone: an item counts as a whole or not at all. */
export function dropItem(program: Program, draft: SnapshotDraft, id: number): readonly Patch[] {
  const item = must(draft.scopes, id, "scope");
  const { expansion: of } = item;
  const fields = emptyItems(draft, must(draft.expansions, of, "expansion"), [id]);
  endItem(draft, id);
  const expansion = must(draft.expansions, of, "expansion");
  draft.expansions = draft.expansions.set(of, { ...expansion, dropped: expansion.dropped + 1 });
  return showAnew(program, draft, fields);
}

/** Node runs, uses of `each` and waiting tokens end; what their lines committed before stays. */
export function cancel(
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
export function late(
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
export function withoutOldest(state: JoinState, source: number): JoinState["tokens"] {
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
export function abandon(program: Program, draft: SnapshotDraft, id: number): readonly Patch[] {
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
