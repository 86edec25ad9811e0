/** Where the arrows of a graph lead. */
import type { EdgeIr } from "../../dsl/index.ts";
import { eachesOf, targetsOf } from "../scheduler/program.ts";

/** The nodes, and `end`, that the arrows from a node lead to, through joins too; each once, in the order of the text. */
export function arrowsFrom(node: string, edges: readonly EdgeIr[]): readonly string[] {
  const found = edges.flatMap(({ from, route }) => {
    const eaches = eachesOf(route);
    const inside = eaches.flatMap((each) => arrowsFrom(node, each.edges));
    if (from.kind === "start" || !from.nodes.includes(node)) return inside;
    const led = [route, ...eaches.map(({ entry }) => entry)].flatMap(targetsOf);
    return [...led.map((target) => target.node), ...inside];
  });
  return [...new Set(found)];
}
