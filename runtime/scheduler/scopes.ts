/** Scopes as node runs and items in them end. */
import { nodePlace } from "./places.ts";
import { must, type NodeRun, type Scope, type Snapshot } from "./snapshot.ts";

export function changeScope(
  snapshot: Snapshot,
  id: number,
  change: (scope: Scope) => Partial<Scope>,
): Snapshot {
  const scope = must(snapshot.scopes, id, "scope");
  return { ...snapshot, scopes: snapshot.scopes.set(id, { ...scope, ...change(scope) }) };
}

/** One more or one less of what is open at a place; a place with nothing has no entry. */
export function placed(places: Scope["places"], place: number, by: 1 | -1): Scope["places"] {
  const open = (places.get(place) ?? 0) + by;
  return open > 0 ? places.set(place, open) : places.delete(place);
}

/** A node run is over: its turn passes to the next one that waits for its node. */
export function closeRun(snapshot: Snapshot, run: NodeRun): Snapshot {
  const closed = { ...snapshot, open: snapshot.open.delete(run.id) };
  const turns = must(snapshot.scopes, run.scope, "scope").turns.get(run.node) ?? [];
  const waiting = turns.filter((id) => id !== run.id);
  const freed = changeScope(closed, run.scope, (scope) => ({
    active: scope.active - 1,
    turns: waiting.length === 0 ? scope.turns.delete(run.node) : scope.turns.set(run.node, waiting),
    places: placed(scope.places, nodePlace(run.node), -1),
  }));
  const heir = waiting[0] === undefined ? undefined : freed.open.get(waiting[0]);
  if (heir?.status !== "queued") return freed;
  return { ...freed, open: freed.open.set(heir.id, { ...heir, status: "ready" }) };
}

/** An item is over; its `each` has room for another one. */
export function endItem(snapshot: Snapshot, id: number): Snapshot {
  const scope = must(snapshot.scopes, id, "scope");
  const expansion = must(snapshot.expansions, scope.expansion, "expansion");
  return {
    ...snapshot,
    scopes: snapshot.scopes.delete(id),
    expansions: snapshot.expansions.set(expansion.id, { ...expansion, ended: expansion.ended + 1 }),
  };
}
