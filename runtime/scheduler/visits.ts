/** Counts how often nodes have run to their end, and the rounds of their loops: `visits(n)` and `round(n)`. */
import type { NodeCount } from "../../dsl/index.ts";
import type { Outlet, Program } from "./program/program.ts";
import { changeScope, type SnapshotDraft } from "./snapshot/draft.ts";
import { must, type NodeRun, type Snapshot } from "./snapshot/snapshot.ts";

/** Counts a commit in its scope and in those around it: an item has its own count, the run that of all items. */
export function noteVisit(
  { nodes, loops }: Program,
  draft: SnapshotDraft,
  { node, scope: own }: Pick<NodeRun, "node" | "scope">,
): void {
  if (nodes[node]?.isWait === true) return;
  const goesRound = loops().nodes.has(node);
  for (let id = own; id !== -1; id = must(draft.scopes, id, "scope").parent)
    changeScope(draft, id, ({ visits, rounds }) => ({
      visits: visits.set(node, (visits.get(node) ?? 0) + 1),
      rounds: goesRound && id === own ? rounds.set(node, (rounds.get(node) ?? 0) + 1) : rounds,
    }));
}

/** The nodes that have gone round in a loop which a token now comes into from outside: their rounds are counted anew. */
export function roundsBegun(
  { loops }: Program,
  { scopes }: Snapshot,
  {
    outlet,
    place,
    scope,
  }: { readonly outlet: Outlet; readonly place: number; readonly scope: number },
): readonly number[] {
  const { rounds } = must(scopes, scope, "scope");
  return rounds.size === 0
    ? NONE
    : loops()
        .entered(outlet.id, place)
        .filter((node) => rounds.get(node) !== undefined);
}

const NONE: readonly never[] = [];

/** The count of a node at a place of the run. A node of another `each` counts over all of its items. */
export function countedAt(
  program: Program,
  snapshot: Snapshot,
  at: number,
  { count, node: name }: { readonly count: NodeCount; readonly node: string },
): number {
  const node = program.nodes[program.nodeNumbers.get(name) ?? -1];
  if (node === undefined) return 0;
  const own = scopeOfNode(snapshot, at, node.each);
  const { visits, rounds, turns } = must(snapshot.scopes, own, "scope");
  if (count === "visits") return visits.get(node.index) ?? 0;
  const isUnderWay = turns.get(node.index) !== undefined;
  return (rounds.get(node.index) ?? 0) + (isUnderWay ? 1 : 0);
}

/** The nearest scope that is of an `each`, or of the run where that is -1; the given one if there is none. */
function scopeOfNode({ scopes, expansions }: Snapshot, at: number, each: number): number {
  for (let id = at; id !== -1; ) {
    const { parent, expansion } = must(scopes, id, "scope");
    if ((expansions.get(expansion)?.each ?? -1) === each) return id;
    id = parent;
  }
  return at;
}
