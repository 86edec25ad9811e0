/** Lists the ways out of each place of a graph, those to its end and what is set on each of them included. */
import type { EdgeIr, RouteIr } from "../../ir/ir.ts";
import { routesBehind } from "../../ir/routes-behind.ts";
import { isNodeTarget, RETURN } from "../../ir/targets-in.ts";
import { eachPlace, type FlowPlace, joinPlace, pickersOf } from "./places.ts";

/** One way out of a place: the fields that its arrows set, and all that it starts; nothing, where a path ends. */
export interface LeavingWay {
  readonly sets: readonly string[];
  readonly to: readonly FlowPlace[];
}

/** The ways out of a place: of each group one is taken once its work is done, or of the ways behind one of its failures. */
export interface LeavingWays {
  readonly done: readonly (readonly LeavingWay[])[];
  readonly failing: readonly (readonly LeavingWay[])[];
}

const END: LeavingWay = { sets: [], to: [] };

/**
 * Returns the ways out of each place outside the bodies of `each`es. A join is taken to come. Of two or more conditions one
 * is taken to hold, without an `else`, too.
 */
export function leavingPlaces(edges: readonly EdgeIr[]): ReadonlyMap<FlowPlace, LeavingWays> {
  const pickers = pickersOf(edges);
  const arrows = edges.flatMap((edge) => [...arrowsOf(edge), ...arrowsBehind(edge.route)]);
  const byPlace = Map.groupBy(arrows, ({ from }) => from);
  return new Map(
    [...byPlace].map(([place, all]) => {
      const done = all.filter(({ on }) => on === "done");
      const maybe = done.filter(({ route }) => route.when !== undefined);
      const sure = done.filter(({ route }) => route.when === undefined);
      const ways = maybe.flatMap(({ route }) => waysOf(route, pickers));
      const groups = sure.map(({ route }) => waysOf(route, pickers));
      if (maybe.length > 0) groups.push(maybe.length > 1 ? ways : [...ways, END]);
      const failing = all.filter(({ on }) => on !== "done");
      return [place, { done: groups, failing: failing.map(({ route }) => waysOf(route, pickers)) }];
    }),
  );
}

interface LeavingArrow {
  readonly from: FlowPlace;
  readonly on: EdgeIr["on"];
  readonly route: RouteIr;
}

/** The arrows of an edge; of a join also those from its nodes to it. */
function arrowsOf({ from, on, route }: EdgeIr): readonly LeavingArrow[] {
  if (from.kind === "start") return [{ from: "start", on, route }];
  if (from.kind === "any") return from.nodes.map((node) => ({ from: node, on, route }));
  const join = joinPlace(from.nodes);
  const toJoin: RouteIr = { kind: "to", targets: [{ node: join, args: [] }] };
  const arriving = from.nodes.map((node) => ({ from: node, on: "done" as const, route: toJoin }));
  return [...arriving, { from: join, on, route }];
}

/** The arrows behind each `each` on a route; they lie outside its body. */
function arrowsBehind(route: RouteIr): readonly LeavingArrow[] {
  if (route.kind !== "each") return insideOf(route).flatMap(arrowsBehind);
  const from = eachPlace(route.each);
  const { then, failing = [] } = route.each;
  const own: readonly LeavingArrow[] = [
    ...(then === undefined ? [] : [{ from, on: "done" as const, route: then }]),
    ...failing.map((one) => ({ from, ...one })),
  ];
  return [...own, ...routesBehind(route.each).flatMap(arrowsBehind)];
}

function insideOf(route: RouteIr): readonly RouteIr[] {
  if (route.kind === "choice") return route.branches.map((branch) => branch.route);
  return route.kind === "match" ? route.cases.map((one) => one.route) : [];
}

function waysOf(route: RouteIr, pickers: readonly FlowPlace[]): readonly LeavingWay[] {
  const sets = (route.sets ?? []).map(({ field }) => field);
  return targetWays(route, pickers).map((way) => ({ ...way, sets: [...sets, ...way.sets] }));
}

function targetWays(route: RouteIr, pickers: readonly FlowPlace[]): readonly LeavingWay[] {
  const oneOf = (places: readonly FlowPlace[]) =>
    places.map((place) => ({ sets: [], to: [place] }));
  switch (route.kind) {
    case "to": {
      const nodes = route.targets.map(({ node }) => node);
      return nodes.includes(RETURN)
        ? oneOf(pickers)
        : [{ sets: [], to: nodes.filter(isNodeTarget) }];
    }
    case "pick":
      return route.targets.flatMap(({ node }) => {
        if (node === RETURN) return oneOf(pickers);
        return isNodeTarget(node) ? oneOf([node]) : [END];
      });
    case "choice": {
      // Branches behind an `else` are never taken.
      const last = route.branches.findIndex(({ when }) => when === undefined);
      const taken = last === -1 ? route.branches : route.branches.slice(0, last + 1);
      const ways = taken.flatMap((branch) => inWay(branch.route, pickers));
      return last === -1 && taken.length === 1 ? [...ways, END] : ways;
    }
    case "match":
      return insideOf(route).flatMap((inside) => inWay(inside, pickers));
    case "each":
      return oneOf([eachPlace(route.each)]);
  }
}

/** The ways of a route inside another one, which may have a condition of its own. */
function inWay(route: RouteIr, pickers: readonly FlowPlace[]): readonly LeavingWay[] {
  const ways = waysOf(route, pickers);
  return route.when === undefined ? ways : [...ways, END];
}
