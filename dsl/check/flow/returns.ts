/** Reports a `return` that nobody can have handed over to. */
import type { EdgeIr, RouteIr, TargetIr } from "../../ir/ir.ts";
import { routesBehind } from "../../ir/routes-behind.ts";
import { RETURN } from "../../ir/targets-in.ts";
import type { FlowCheck } from "../context.ts";
import { eachPlace, type FlowPlace, joinPlace, pickersOf, reach } from "./places.ts";
import { eachesIn, spanOf } from "./routes.ts";

/** Reports M3781 where no node that hands over leads to the arrow. */
export function checkReturnTargets({ ir, places, report }: FlowCheck): void {
  for (const scope of scopesIn(ir.edges)) {
    const behind = reach(pickersOf(scope.edges), places.next);
    for (const { from, route } of waysIn(scope.edges)) {
      const target = returnIn(route);
      if (target === undefined || from.some((place) => behind.has(place))) continue;
      report({
        code: "M3781",
        message: "`return` leads nowhere: no node that hands over leads here",
        span: spanOf(target),
        hint: "let a node hand over, `front -> a | end`, or name the node to go on with",
      });
    }
  }
}

interface FlowScopeEdges {
  readonly edges: readonly EdgeIr[];
}

/** The edges of the graph, and those of each body of an `each`, which hands over to nobody outside. */
function scopesIn(edges: readonly EdgeIr[]): readonly FlowScopeEdges[] {
  const inner = edges.flatMap(({ route }) => eachesIn(route));
  return [{ edges }, ...inner.flatMap((each) => scopesIn(each.edges))];
}

interface FlowWay {
  readonly from: readonly FlowPlace[];
  readonly route: RouteIr;
}

function waysIn(edges: readonly EdgeIr[]): readonly FlowWay[] {
  return edges.flatMap(({ from, route }) => [
    { from: placesOfSource(from), route },
    ...eachesIn(route).flatMap((each) =>
      routesBehind(each).map((behind) => ({ from: [eachPlace(each)], route: behind })),
    ),
  ]);
}

function placesOfSource(from: EdgeIr["from"]): readonly FlowPlace[] {
  if (from.kind === "start") return ["start"];
  return from.kind === "any" ? from.nodes : [joinPlace(from.nodes)];
}

/** The `return` among the targets of a route, not of an `each` in it. */
function returnIn(route: RouteIr): TargetIr | undefined {
  switch (route.kind) {
    case "to":
    case "pick":
      return route.targets.find(({ node }) => node === RETURN);
    case "choice":
      return firstOf(route.branches.map((branch) => returnIn(branch.route)));
    case "match":
      return firstOf(route.cases.map((one) => returnIn(one.route)));
    case "each":
      return undefined;
  }
}

function firstOf(found: readonly (TargetIr | undefined)[]): TargetIr | undefined {
  return found.find((one) => one !== undefined);
}
