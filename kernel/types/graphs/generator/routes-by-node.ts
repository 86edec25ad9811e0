/** Finds where each node of a graph may lead. */
import { type EachIr, type EdgeIr, type RouteIr, routesBehind } from "../../../../dsl/index.ts";

/** The routes behind a node: their targets in order, and whether the node's result picks one of them. */
export interface NodeRoutes {
  readonly targets: readonly string[];
  readonly isPick: boolean;
}

/** The nodes that no arrow leaves are not in it. */
export type RoutesByNode = ReadonlyMap<string, NodeRoutes>;

/** Returns the nodes that may follow each node, by all arrows at once: a large graph has as many arrows as nodes. */
export function routesByNode(edges: readonly EdgeIr[]): RoutesByNode {
  const leaving = Map.groupBy(allLeaving(edges), ({ node }) => node);
  return new Map([...leaving].map(([node, all]) => [node, joined(all.map(({ route }) => route))]));
}

interface LeavingRoute {
  readonly node: string;
  readonly route: RouteIr;
}

function allLeaving(edges: readonly EdgeIr[]): readonly LeavingRoute[] {
  return edges.flatMap(({ from, route }) => [
    ...(from.kind === "any" ? [...new Set(from.nodes)].map((node) => ({ node, route })) : []),
    ...eachesIn(route).flatMap((each) => allLeaving(each.edges)),
  ]);
}

/** The eaches that a route leads into. */
function eachesIn(route: RouteIr): readonly EachIr[] {
  switch (route.kind) {
    case "to":
    case "pick":
      return [];
    case "choice":
      return route.branches.flatMap((branch) => eachesIn(branch.route));
    case "match":
      return route.cases.flatMap((one) => eachesIn(one.route));
    case "each":
      return [route.each, ...waysOf(route.each).flatMap(eachesIn)];
  }
}

/** Into the body of an `each`, and behind it: without items it leads there at once. */
function waysOf(each: EachIr): readonly RouteIr[] {
  return [each.entry, ...routesBehind(each)];
}

function joined(routes: readonly RouteIr[]): NodeRoutes {
  const targets = new Set<string>();
  let isPick = false;
  const enter = (route: RouteIr): void => {
    switch (route.kind) {
      case "to":
      case "pick":
        for (const { node } of route.targets) targets.add(node);
        isPick ||= route.kind === "pick" && route.targets.length > 1;
        return;
      case "choice":
        for (const branch of route.branches) enter(branch.route);
        return;
      case "match":
        for (const one of route.cases) enter(one.route);
        return;
      case "each":
        for (const way of waysOf(route.each)) enter(way);
    }
  };
  for (const route of routes) enter(route);
  return { targets: [...targets], isPick };
}
