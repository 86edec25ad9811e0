/** Warns of a `max` that can never be used up. */
import type { EdgeIr, RouteIr } from "../../ir/ir.ts";
import type { FlowCheck } from "../context.ts";
import { sendsSeveral } from "../flow/commanding.ts";
import { type FlowPlace, type FlowPlaces, joinPlace } from "../flow/places.ts";
import { routesIn, spanOf } from "../flow/routes.ts";

/** Warns of a `max` that is never used up, as the run gets there less often than it allows. */
export function checkSpareMax(check: FlowCheck): void {
  const { ir, places } = check;
  if (ir.edges.every(({ route }) => maximaIn(route).length === 0) || sendsSeveral(ir)) return;
  const visits = visitsOf(places);
  for (const edge of ir.edges) {
    const times = timesOf(edge, visits);
    for (const route of maximaIn(edge.route))
      if (typeof route.max === "number" && route.max >= times) reportSpare(route, times, check);
  }
}

/** The routes with a `max` that hang on one place; those inside an `each` count for each item. */
function maximaIn(route: RouteIr): readonly RouteIr[] {
  const own = route.max === undefined ? [] : [route];
  return route.kind === "each" ? own : [...own, ...routesIn(route).flatMap(maximaIn)];
}

function timesOf({ from }: EdgeIr, visits: ReadonlyMap<FlowPlace, number>): number {
  if (from.kind === "start") return 1;
  const places = from.kind === "any" ? from.nodes : [joinPlace(from.nodes)];
  return places.reduce((sum, place) => sum + (visits.get(place) ?? Number.POSITIVE_INFINITY), 0);
}

/**
 * Returns the greatest number of times that a run comes to each place: the sum over the places that
 * lead to it. Places on a cycle, behind one, or in an `each` are not in the map.
 */
function visitsOf({ arcs, eaches }: FlowPlaces): ReadonlyMap<FlowPlace, number> {
  const leaving = Map.groupBy(arcs, (arc) => arc.from);
  const inBody = new Set(eaches.flatMap(({ nodes }) => nodes));
  const waiting = new Map<FlowPlace, { arcs: number; times: number }>();
  for (const { to } of arcs) waiting.set(to, { arcs: (waiting.get(to)?.arcs ?? 0) + 1, times: 0 });
  const visits = new Map<FlowPlace, number>([["start", 1]]);
  for (const [place, times] of visits)
    for (const { to } of leaving.get(place) ?? []) {
      const at = waiting.get(to);
      if (at === undefined || inBody.has(to)) continue;
      at.arcs -= 1;
      at.times += times;
      if (at.arcs === 0) visits.set(to, at.times);
    }
  return visits;
}

function reportSpare(route: RouteIr, times: number, { hops, report }: FlowCheck): void {
  const { start } = spanOf(route);
  const clauses = hops.find(({ hop }) => hop.span.start === start)?.hop.clauses ?? [];
  const clause = clauses.find(({ kind }) => kind === "max");
  report({
    code: "M3222",
    severity: "warning",
    message: `\`max ${route.max}\` is never used up: the run gets here ${times === 1 ? "once" : `${times} times`} at most`,
    span: clause?.span ?? spanOf(route),
    hint: "write it behind the arrow that goes back, or remove it",
  });
}
