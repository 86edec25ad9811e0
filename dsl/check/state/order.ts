/** Lists the constructs by which the end of a run depends on the order in which nodes finish. */
import type { CountIr, EachIr, EdgeIr, ExprIr, Ir, LimitIr, RouteIr, SpanIr } from "../../ir/ir.ts";
import { routesBehind } from "../../ir/routes-behind.ts";
import { isBuiltIn } from "../../vocabulary/built-in-functions.ts";
import { LIMIT_UNITS, LIMITS } from "../../vocabulary/limits.ts";
import { overlapOf } from "../concurrency/overlap.ts";
import { placesOf } from "../flow/places.ts";
import { allEdges, routesIn } from "../flow/routes.ts";

/** A cause for which the end of a run depends on the order in which nodes finish. */
export interface OrderSensitivity {
  /** `need 2`, `a | b` that may both arrive, `after`, a limit in time or money, a shared limit, a stream. */
  readonly what: string;
  readonly span?: SpanIr;
}

/**
 * Returns the causes for which two runs of a graph with the same answers may end differently; empty
 * if there are none.
 */
export function orderSensitivity(ir: Ir): readonly OrderSensitivity[] {
  const edges = allEdges(ir.edges);
  const limits = [ir.limit, ...ir.nodes.map((node) => node.limit)];
  return [
    ...edges.flatMap(inQuorum),
    ...inArrivals(ir),
    ...edges.flatMap(({ route }) => inRoute(route)),
    ...ir.nodes.flatMap((node) =>
      node.every === undefined ? [] : [sensitive("`every`", node.span)],
    ),
    ...limits.flatMap(inLimit),
    ...inSharedLimit(ir, edges),
    ...inEndWhen(ir, edges),
  ];
}

function sensitive(what: string, span: SpanIr | undefined): OrderSensitivity {
  return span === undefined ? { what } : { what, span };
}

function needText(need: CountIr): string {
  return `\`need ${typeof need === "number" ? need : need.name}\``;
}

function inQuorum({ from, span }: EdgeIr): readonly OrderSensitivity[] {
  if (from.kind !== "join" || from.need === undefined) return [];
  return [sensitive(needText(from.need), span)];
}

/** Returns the arrows from any of several nodes that may run at the same time: the first to end starts what follows first. */
function inArrivals(ir: Ir): readonly OrderSensitivity[] {
  const overlap = overlapOf(placesOf(ir));
  return allEdges(ir.edges).flatMap(({ from, span }) => {
    if (from.kind !== "any") return [];
    const { nodes } = from;
    const meet = nodes.some((a, index) =>
      nodes.slice(index + 1).some((b) => overlap.isForked(a, b)),
    );
    return meet ? [sensitive(`\`${nodes.join(" | ")}\`, which may all arrive`, span)] : [];
  });
}

function inRoute(route: RouteIr): readonly OrderSensitivity[] {
  const timer = route.afterMs === undefined ? [] : [sensitive("`after`", route.span)];
  const inner = route.kind === "each" ? [] : routesIn(route).flatMap(inRoute);
  return [...timer, ...inner, ...(route.kind === "each" ? inEach(route.each) : [])];
}

function inEach(each: EachIr): readonly OrderSensitivity[] {
  const { need, items, entry, failing = [] } = each;
  return [
    ...(need === undefined ? [] : [sensitive(needText(need), items.span)]),
    ...(isStream(items) ? [sensitive("a stream", items.span)] : []),
    // If items fail in different ways, the first one decides the route.
    ...failing.map(({ on, route }) => sensitive(`\`on ${on}\` behind an \`each\``, route.span)),
    ...[entry, ...routesBehind(each)].flatMap(inRoute),
  ];
}

/** Returns whether a list may arrive item by item, as from a function or a value of TypeScript. */
function isStream(items: ExprIr): boolean {
  if (items.kind !== "call") return isOfScope(items);
  return !isBuiltIn(items.callee) && isOfScope(items.callee);
}

function isOfScope(expression: ExprIr): boolean {
  if (expression.kind === "member") return isOfScope(expression.object);
  return expression.kind === "name" && expression.of === "scope";
}

/**
 * Returns the `end when` clauses of a graph that forks: each is evaluated after every node run, so
 * the first of several may end the run.
 */
function inEndWhen(ir: Ir, edges: readonly EdgeIr[]): readonly OrderSensitivity[] {
  if (ir.endWhen.length === 0 || !isForking(edges)) return [];
  return ir.endWhen.map(({ span }) => sensitive("`end when` beside several node runs", span));
}

function isForking(edges: readonly EdgeIr[]): boolean {
  const places = edges
    .filter(({ on, from }) => on === "done" && from.kind !== "join")
    .flatMap(({ from }) => (from.kind === "start" ? ["start"] : from.nodes));
  const isWide = (route: RouteIr): boolean =>
    route.kind === "each" ||
    route.detached === true ||
    (route.kind === "to" && route.targets.length > 1) ||
    routesIn(route).some(isWide);
  return new Set(places).size < places.length || edges.some(({ route }) => isWide(route));
}

function inLimit(limit: LimitIr | undefined): readonly OrderSensitivity[] {
  const names = { ms: "a limit in time", usd: "a limit in money" } as const;
  return (limit?.quantities ?? []).flatMap(({ unit }) =>
    unit === "ms" || unit === "usd" ? [sensitive(names[unit], limit?.span)] : [],
  );
}

/** Branches beside each other use up the limit of their graph together: which of them comes too late depends on the clock. */
function inSharedLimit({ limit }: Ir, edges: readonly EdgeIr[]): readonly OrderSensitivity[] {
  if (limit === undefined || !isForking(edges)) return [];
  return LIMIT_UNITS.filter(
    (unit) => LIMITS[unit].isShared && limit.quantities.some((quantity) => quantity.unit === unit),
  ).map((unit) => sensitive(`a limit in ${unit} beside several node runs`, limit.span));
}
