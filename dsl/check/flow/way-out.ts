/** Warns of cycles that no way leads out of. */

import type { EdgeIr, Ir, RouteIr } from "../../ir/ir.ts";
import { routesBehind } from "../../ir/routes-behind.ts";
import { isNodeTarget } from "../../ir/targets-in.ts";
import type { FlowCheck } from "../context.ts";
import { mayCommand } from "./commanding.ts";
import { onlyCycles, shortestCycle, spanOfCycle, wayRound } from "./cycles.ts";
import { eachPlace, type FlowPlace, joinPlace, outgoing, reach } from "./places.ts";
import { allEdges, eachesIn, routesIn } from "./routes.ts";

/** Warns of a cycle that no way leads out of: its run can only fail, when a `max` or a limit is used up. */
export function checkWayOut({ ir, places, report }: FlowCheck): void {
  // Both end a run from outside the flow.
  if (ir.endWhen.length > 0 || ir.limit?.elseAsk === true) return;
  const saved = placesThatEnd(ir);
  const reached = reach(["start"], places.next);
  const isTrapped = (place: FlowPlace) => reached.has(place) && !saved.has(place);
  const trapped = places.arcs.filter(({ from, to }) => isTrapped(from) && isTrapped(to));
  const cycles = onlyCycles(trapped);
  const next = outgoing(cycles);
  const reported = new Set<FlowPlace>();
  for (const arc of cycles) {
    const round = reach([arc.to], next);
    if (reported.has(arc.from) || !round.has(arc.from)) continue;
    for (const place of round) reported.add(place);
    const cycle = shortestCycle(arc, next);
    report({
      code: "M3219",
      severity: "warning",
      message: `no way leads out of \`${wayRound(cycle)}\``,
      span: spanOfCycle(cycle, ir),
      hint: "add a condition that ends it: `a -> { done -> end, else -> b max 3 }`; a run that ends only by a used-up `max` fails",
    });
  }
}

interface Exits {
  /** The places at which a path can end. */
  readonly ends: Set<FlowPlace>;
  readonly back: Map<FlowPlace, FlowPlace[]>;
}

/** The places from which a path can come to its end. */
function placesThatEnd(ir: Ir): ReadonlySet<FlowPlace> {
  const exits: Exits = { ends: new Set(nodesThatEnd(ir)), back: new Map() };
  for (const edge of allEdges(ir.edges)) {
    for (const place of sourcesOf(edge, exits)) leave(place, edge.route, exits);
    for (const each of eachesIn(edge.route)) {
      if (each.then === undefined) exits.ends.add(eachPlace(each));
      for (const route of routesBehind(each)) leave(eachPlace(each), route, exits);
    }
  }
  const ended = new Set(exits.ends);
  for (const place of ended) for (const before of exits.back.get(place) ?? []) ended.add(before);
  return ended;
}

/** Nodes that nothing follows once they are done, and those that may finish the run themselves. */
function nodesThatEnd(ir: Ir): readonly string[] {
  const followed = new Set(
    allEdges(ir.edges).flatMap(({ from, on }) =>
      from.kind === "start" || on !== "done" ? [] : from.nodes,
    ),
  );
  return ir.nodes
    .filter((node) => mayCommand(node) || !followed.has(node.name))
    .map(({ name }) => name);
}

function sourcesOf({ from }: EdgeIr, { back }: Exits): readonly FlowPlace[] {
  if (from.kind === "start") return ["start"];
  if (from.kind === "any") return from.nodes;
  const join = joinPlace(from.nodes);
  back.set(join, [...(back.get(join) ?? []), ...from.nodes]);
  return [join];
}

function leave(from: FlowPlace, route: RouteIr, { ends, back }: Exits): void {
  if (mayStop(route)) ends.add(from);
  for (const to of targetsOf(route)) back.set(to, [...(back.get(to) ?? []), from]);
}

/**
 * Returns whether a run may stop at this route: it leads to `end`, or back to who may go on elsewhere; has a condition that need not
 * hold, or is a choice without `else`.
 */
function mayStop(route: RouteIr): boolean {
  if (route.when !== undefined) return true;
  switch (route.kind) {
    case "to":
    case "pick":
      return route.targets.some((target) => !isNodeTarget(target.node));
    case "choice":
      return route.branches.every(({ when }) => when !== undefined) || hasStop(route);
    case "match":
      return route.cases.every(({ values }) => values !== undefined) || hasStop(route);
    case "each":
      return false;
  }
}

function hasStop(route: RouteIr): boolean {
  return routesIn(route).some(mayStop);
}

function targetsOf(route: RouteIr): readonly FlowPlace[] {
  if (route.kind === "each") return [eachPlace(route.each)];
  if (route.kind === "to" || route.kind === "pick") return route.targets.map(({ node }) => node);
  return routesIn(route).flatMap(targetsOf);
}
