/** Decides whether two nodes of a join can both arrive in one run. */
import { once } from "../../once.ts";
import type { FlowCheck } from "../context.ts";
import { sendsSeveral } from "../flow/commanding.ts";
import { type FlowPlace, joinPlace, type Outgoing, reach } from "../flow/places.ts";

/** Returns whether some two of the nodes may both arrive at the join of all of them. */
export type ArriveTogether = (names: readonly string[]) => boolean;

/** Answers it for the joins of one graph, and looks only once at what they have in common. */
export function arrivalsIn({
  ir,
  places,
  overlap,
}: Pick<FlowCheck, "ir" | "places" | "overlap">): ArriveTogether {
  const arcs = places.next;
  const isSent = once(() => sendsSeveral(ir));
  const reached = once(() => reach(["start"], arcs));
  return (names) => {
    if (names.length < 2 || isSent()) return true;
    // Nodes that are never reached are reported as such.
    if (!names.every((name) => reached().has(name))) return true;
    const overlaps = names.some((a, index) =>
      names.slice(index + 1).some((b) => overlap.has(a, b)),
    );
    return overlaps || oneLeadsToAnother(names, arcs);
  };
}

/**
 * Returns whether a way leads from one of the nodes to another one before their join. The ways of all nodes grow by turns: what a
 * node leads to is mostly near it, while all that stands behind a node may be the whole graph.
 */
function oneLeadsToAnother(names: readonly string[], arcs: Outgoing): boolean {
  const join = joinPlace(names);
  const nodes = new Set<FlowPlace>(names);
  let open = names.map((name) => {
    const reached = new Set<FlowPlace>([name]);
    // A set's iterator also comes to what is added meanwhile.
    return { reached, places: reached.values() };
  });
  while (open.length > 0) {
    const growing: typeof open = [];
    for (const search of open) {
      const { value: place } = search.places.next();
      if (place === undefined) continue;
      growing.push(search);
      for (const { to } of place === join ? [] : (arcs.get(place) ?? [])) {
        if (nodes.has(to) && !search.reached.has(to)) return true;
        search.reached.add(to);
      }
    }
    open = growing;
  }
  return false;
}
