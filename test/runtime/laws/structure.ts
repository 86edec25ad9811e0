/** What must hold of every position: whatever is open hangs on something that is open, and counts agree. */

import type { Scope } from "../../../runtime/scheduler/snapshot/parts.ts";
import type { NodeRun, Snapshot } from "../../../runtime/scheduler/snapshot/snapshot.ts";

/** What hangs on nothing any more, or is counted wrong; called graphs and their own are looked at too. */
export function misplaced(snapshot: Snapshot, within = ""): string | undefined {
  for (const run of snapshot.open.values()) {
    const wrong = misplacedRun(snapshot, run);
    if (wrong !== undefined) return `${within}node run ${run.id} ${wrong}`;
  }
  for (const expansion of snapshot.expansions.values()) {
    if (snapshot.scopes.get(expansion.scope) === undefined)
      return `${within}each ${expansion.id} goes on in a scope that has ended`;
  }
  for (const scope of snapshot.scopes.values()) {
    const wrong = miscounted(snapshot, scope);
    if (wrong !== undefined) return `${within}scope ${scope.id} ${wrong}`;
  }
  for (const [id, child] of snapshot.children.entries()) {
    if (snapshot.open.get(id) === undefined) return `${within}nobody called the graph of ${id}`;
    const wrong = misplaced(child.snapshot, `${within}in ${id}: `);
    if (wrong !== undefined) return wrong;
  }
  for (const [id, home] of snapshot.homes.entries()) {
    if (snapshot.children.get(home) === undefined)
      return `${within}node run ${id} is at home in ${home}, which has called nobody`;
  }
  return undefined;
}

function misplacedRun({ scopes, frames, expansions }: Snapshot, run: NodeRun): string | undefined {
  if (scopes.get(run.scope) === undefined) return "goes on in a scope that has ended";
  if (frames.get(run.frame) === undefined) return "goes on in a line that has ended";
  if (run.source !== undefined && expansions.get(run.source.expansion) === undefined)
    return "reads for an `each` that has ended";
  return undefined;
}

/** A scope ends when nothing in it is open any more, so it must know how much is. */
function miscounted({ open, expansions, scopes }: Snapshot, scope: Scope): string | undefined {
  const { id, active, expansion, turns } = scope;
  if (expansion !== -1 && expansions.get(expansion) === undefined)
    return "is of an `each` that has ended";
  if (id !== 0 && scopes.get(scope.parent) === undefined) return "is in a scope that has ended";
  const runs = [...open.values()].filter((run) => run.scope === id && run.source === undefined);
  const eaches = [...expansions.values()].filter((one) => one.scope === id);
  if (active !== runs.length + eaches.length)
    return `counts ${active} of ${runs.length} node runs and ${eaches.length} eaches`;
  for (const [node, waiting] of turns.entries()) {
    const gone = waiting.find((run) => open.get(run) === undefined);
    if (gone !== undefined) return `keeps a turn of node ${node} for ${gone}, which is over`;
  }
  return undefined;
}
