/** Lists the arrows of a graph, with the nodes they connect and their lines in its text. */
import {
  type EachIr,
  type EdgeIr,
  isNodeTarget,
  type RouteIr,
  routesBehind,
  type SpanIr,
} from "../../dsl/index.ts";
import { eachesOf } from "../scheduler/program/program.ts";

export interface Arrow {
  /** A node, or `start`. */
  readonly from: string;
  /** A node, `end` or `return`. */
  readonly to: string;
  /** The span of the arrow's target, which a frame shows. */
  readonly span?: SpanIr;
  /** The spans of the arrow in the text: the groups and branches that it goes through, and its target. */
  readonly parts: readonly SpanIr[];
}

/** In the order of the text; also those through joins, into an `each` and behind one. */
export function arrowsOf(edges: readonly EdgeIr[]): readonly Arrow[] {
  return edges.flatMap(({ from, route }) => {
    const names = from.kind === "start" ? ["start"] : from.nodes;
    return [...ledFrom(names, route, []), ...arrowsIn(route)];
  });
}

/** The nodes, and `end`, that the arrows from a node lead to; each once. */
export function arrowsFrom(node: string, edges: readonly EdgeIr[]): readonly string[] {
  return [...new Set(arrowsOf(edges).flatMap(({ from, to }) => (from === node ? [to] : [])))];
}

function ledFrom(
  names: readonly string[],
  route: RouteIr,
  above: readonly SpanIr[],
): readonly Arrow[] {
  const parts = [...above, ...present(route.span)];
  switch (route.kind) {
    case "to":
    case "pick":
      return route.targets.flatMap(({ node: to, span }) =>
        names.map((from) => ({
          ...{ from, to, parts: [...parts, ...present(span)] },
          ...(span === undefined ? {} : { span }),
        })),
      );
    case "choice":
      return route.branches.flatMap((branch) => ledFrom(names, branch.route, parts));
    case "match":
      return route.cases.flatMap((one) => ledFrom(names, one.route, parts));
    case "each":
      return ledThrough(names, route.each, parts);
  }
}

/** Into an `each`, and behind it: from all that may end an item, and past an empty list. */
function ledThrough(
  names: readonly string[],
  each: EachIr,
  parts: readonly SpanIr[],
): readonly Arrow[] {
  const into = ledFrom(names, each.entry, parts);
  const inside = [...into, ...arrowsIn(each.entry), ...arrowsOf(each.edges)].map(({ to }) => to);
  const ends = new Set([...names, ...inside.filter(isNodeTarget)]);
  const behind = routesBehind(each).flatMap((route) => ledFrom([...ends], route, []));
  return [...into, ...behind];
}

/** Those between the nodes of each `each` that a route comes through. */
function arrowsIn(route: RouteIr): readonly Arrow[] {
  return eachesOf(route).flatMap((each) => [
    ...[each.entry, ...routesBehind(each)].flatMap(arrowsIn),
    ...arrowsOf(each.edges),
  ]);
}

function present(span: SpanIr | undefined): readonly SpanIr[] {
  return span === undefined ? [] : [span];
}
