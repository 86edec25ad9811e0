/** Scopes as node runs and items in them end. */

import { nodePlace } from "../program/token-places.ts";
import type { SnapshotDraft } from "./draft.ts";
import type { Scope } from "./scope.ts";
import { must, type NodeRun } from "./snapshot.ts";

export function changeScope(
  draft: SnapshotDraft,
  id: number,
  change: (scope: Scope) => Partial<Scope>,
): void {
  const scope = must(draft.scopes, id, "scope");
  draft.scopes = draft.scopes.set(id, { ...scope, ...change(scope) });
}

/** One more or one less of what is open at a place; a place with nothing has no entry. */
export function withTokensAt(places: Scope["places"], place: number, by: 1 | -1): Scope["places"] {
  const open = (places.get(place) ?? 0) + by;
  return open > 0 ? places.set(place, open) : places.delete(place);
}

/** A node run is over: its turn passes to the next one that waits for its node. */
export function closeRun(draft: SnapshotDraft, { id, node, scope: at }: NodeRun): void {
  draft.open = draft.open.delete(id);
  const scope = must(draft.scopes, at, "scope");
  const turns = scope.turns.get(node) ?? NOBODY;
  const waiting =
    turns.length === 1 && turns[0] === id ? NOBODY : turns.filter((one) => one !== id);
  const [first] = waiting;
  draft.scopes = draft.scopes.set(at, {
    ...scope,
    active: scope.active - 1,
    turns: first === undefined ? scope.turns.delete(node) : scope.turns.set(node, waiting),
    places: withTokensAt(scope.places, nodePlace(node), -1),
  });
  const heir = first === undefined ? undefined : draft.open.get(first);
  if (heir?.status === "queued") draft.open = draft.open.set(heir.id, { ...heir, status: "ready" });
}

const NOBODY: readonly number[] = [];

/** An item is over; its `each` has room for another one. */
export function endItem(draft: SnapshotDraft, id: number): void {
  const scope = must(draft.scopes, id, "scope");
  const expansion = must(draft.expansions, scope.expansion, "expansion");
  draft.scopes = draft.scopes.delete(id);
  draft.expansions = draft.expansions.set(expansion.id, {
    ...expansion,
    ended: expansion.ended + 1,
  });
}
