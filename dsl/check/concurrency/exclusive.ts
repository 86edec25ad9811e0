/** Decides whether two nodes of a join can both arrive in one run. */
import type { FlowCheck } from "../context.ts";
import { sendsSeveral } from "../flow/commanding.ts";
import { type FlowPlace, joinPlace, reach } from "../flow/places.ts";

/** Returns whether some two of the nodes may both arrive at the join of all of them. */
export function arriveTogether(names: readonly string[], check: FlowCheck): boolean {
  const { ir, places, overlap } = check;
  if (names.length < 2 || sendsSeveral(ir)) return true;
  const arcs = places.next;
  const join = joinPlace(names);
  const reached = reach(["start"], arcs);
  // Nodes that are never reached are reported as such.
  if (!names.every((name) => reached.has(name))) return true;
  const known = new Map<string, ReadonlySet<FlowPlace>>();
  const behind = (name: string) => {
    const places = known.get(name) ?? reach([name], arcs, (at) => at === join);
    known.set(name, places);
    return places;
  };
  return names.some((a, index) =>
    names.slice(index + 1).some((b) => overlap.has(a, b) || behind(a).has(b) || behind(b).has(a)),
  );
}
