/** Walks the routes that lie in the edges of a graph. */
import type { Span } from "../../diagnostics/source.ts";
import type { EachIr, EdgeIr, RouteIr } from "../../ir/ir.ts";
import { routesBehind } from "../../ir/routes-behind.ts";

/** The routes directly inside a route. */
export function routesIn(route: RouteIr): readonly RouteIr[] {
  switch (route.kind) {
    case "to":
    case "pick":
      return [];
    case "choice":
      return route.branches.map((branch) => branch.route);
    case "match":
      return route.cases.map((one) => one.route);
    case "each":
      return [route.each.entry, ...routesBehind(route.each)];
  }
}

/** Every `each` in a route, but not those behind the nodes of another one. */
export function eachesIn(route: RouteIr): readonly EachIr[] {
  const own = route.kind === "each" ? [route.each] : [];
  return [...own, ...routesIn(route).flatMap(eachesIn)];
}

/** The edges of a graph and of the bodies of its `each`es. */
export function allEdges(edges: readonly EdgeIr[]): readonly EdgeIr[] {
  return edges.flatMap((edge) => [
    edge,
    ...eachesIn(edge.route).flatMap((each) => allEdges(each.edges)),
  ]);
}

/** Returns the span of a route in the text; the beginning of the text for a route that has none. */
export function spanOf({ span }: Pick<RouteIr, "span">): Span {
  const [start, end] = span ?? [0, 0];
  return { start, end };
}

/** Returns whether a node decides the target of this route or of one inside it. */
export function picksIn(route: RouteIr): boolean {
  if (route.kind === "each") return false;
  return route.kind === "pick" || routesIn(route).some(picksIn);
}
