/** Lists the targets of all arrows of a graph. */
import type { Ir, RouteIr, TargetIr } from "./ir.ts";
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
