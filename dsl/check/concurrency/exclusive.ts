/** Decides whether two nodes of a join can both arrive in one run. */
import type { FlowCheck } from "../context.ts";
import { sendsSeveral } from "../flow/commanding.ts";
import { joinPlace, reach } from "../flow/places.ts";

/** Returns whether some two of the nodes may both arrive at the join of all of them. */
export function arriveTogether(names: readonly string[], check: FlowCheck): boolean {
  const { ir, places, overlap } = check;
  if (names.length < 2 || sendsSeveral(ir)) return true;
  const arcs = places.next;
  const join = joinPlace(names);
  const reached = reach(["start"], arcs);
  // Nodes that are never reached are reported as such.
  if (!names.every((name) => reached.has(name))) return true;
  const behind = new Map(names.map((name) => [name, reach([name], arcs, (at) => at === join)]));
  return names.some((a, index) =>
    names
      .slice(index + 1)
      .some((b) => overlap.has(a, b) || behind.get(a)?.has(b) || behind.get(b)?.has(a)),
  );
}
