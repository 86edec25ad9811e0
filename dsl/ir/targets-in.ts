/** Lists the targets of all arrows of a graph, and says which of them are no nodes. */
import type { EdgeIr, Ir, RouteIr, SourceIr, TargetIr } from "./ir.ts";
import { routesBehind } from "./routes-behind.ts";

/** Returns the targets in the order of the text; those of graphs with the same hash stand at the same places. */
export function targetsIn({ edges }: Pick<Ir, "edges">): readonly TargetIr[] {
  return edges.flatMap(({ route }) => targetsBehind(route));
}

function targetsBehind(route: RouteIr): readonly TargetIr[] {
  switch (route.kind) {
    case "to":
    case "pick":
      return route.targets;
    case "choice":
      return route.branches.flatMap((branch) => targetsBehind(branch.route));
    case "match":
      return route.cases.flatMap((one) => targetsBehind(one.route));
    case "each": {
      const { entry, edges } = route.each;
      const behind = routesBehind(route.each).flatMap(targetsBehind);
      return [...targetsBehind(entry), ...targetsIn({ edges }), ...behind];
    }
  }
}

/** The target that leads back to the node which handed the work over. */
export const RETURN = "return";

/** Returns whether a target is a node: `end` and `return` are none. */
export function isNodeTarget(name: string): boolean {
  return name !== "end" && name !== RETURN;
}

/** Returns whether a target is for the others of a group: in `a | b -> a | b` nobody hands over to itself. */
export function isForOthers(from: SourceIr, node: string, target: string): boolean {
  return target === node && from.kind === "any" && from.nodes.length > 1;
}

/** The route of an edge for one of its sources: in a group without the source itself. */
export function routeFrom({ from, route }: EdgeIr, node: string): RouteIr {
  if (route.kind !== "pick") return route;
  return { ...route, targets: route.targets.filter((to) => !isForOthers(from, node, to.node)) };
}
