/** Reports counted or delayed arrows that several ways would share. */
import type { EdgeIr, RouteIr } from "../../ir/ir.ts";
import { routesBehind } from "../../ir/routes-behind.ts";
import type { FlowCheck } from "../context.ts";
import { eachesIn, spanOf } from "./routes.ts";

/**
 * Reports M3212 where several sources share a route that counts, branches or holds an `each`: each
 * source gets an edge of its own, and such a route would not be shared.
 */
export function checkSharedRoutes({ ir, report }: FlowCheck): void {
  const seen = new Set<RouteIr>();
  for (const route of allRoutes(ir.edges)) {
    const isSimple = (route.kind === "to" || route.kind === "pick") && route.max === undefined;
    if (seen.has(route) && !isSimple) {
      report({
        code: "M3212",
        message: "several arrows lead here, and they can't share the route that follows",
        span: spanOf(route),
        hint: "lead them to one node, and write this route behind that node",
      });
      return;
    }
    seen.add(route);
  }
}

function allRoutes(edges: readonly EdgeIr[]): readonly RouteIr[] {
  return edges.flatMap(({ route }) => [
    route,
    ...eachesIn(route).flatMap((each) => [...routesBehind(each), ...allRoutes(each.edges)]),
  ]);
}
