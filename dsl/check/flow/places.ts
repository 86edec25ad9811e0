/** Turns the arrows of a graph into a flat graph of places, for questions of reachability. */
import type {
  AssignIr,
  EachIr,
  EdgeIr,
  ExprIr,
  Ir,
  RouteIr,
  SourceIr,
  SpanIr,
} from "../../ir/ir.ts";
import { routesBehind } from "../../ir/routes-behind.ts";
import { isNodeTarget, RETURN, routeFrom } from "../../ir/targets-in.ts";
import { picksIn } from "./routes.ts";

/**
 * Somewhere a run can be: `start`, a node, a join (`[a, b]`) or an `each` (`each task#2`). Joins and eaches are places
 * of their own, so that what follows them hangs on one place.
 */
export type FlowPlace = string;

/** A step from place to place. */
export interface Arc {
  readonly from: FlowPlace;
  readonly to: FlowPlace;
  /** Counted by a `max` on its way. */
  readonly isBounded: boolean;
  /** True if what the arc starts goes on by itself. */
  readonly isDetached: boolean;
  readonly on: EdgeIr["on"];
  /** The assignments of the `set` clauses on the arc. */
  readonly sets: readonly AssignIr[];
  readonly span: SpanIr | undefined;
}

/** One arrow out of a place: what it may start, as alternatives of which each starts all its targets at once. */
export interface FlowBranch {
  readonly on: EdgeIr["on"];
  readonly when: ExprIr | undefined;
  readonly alternatives: readonly (readonly FlowPlace[])[];
  /** The targets among them that go on by themselves. */
  readonly detached: readonly FlowPlace[];
}

/** The arrows of a graph, flat. */
export interface FlowPlaces {
  readonly arcs: readonly Arc[];
  /** The same by the place they leave. */
  readonly next: Outgoing;
  readonly branches: ReadonlyMap<FlowPlace, readonly FlowBranch[]>;
  /** Every `each`, with the nodes in its body, those of inner ones too. */
  readonly eaches: readonly { readonly each: EachIr; readonly nodes: readonly string[] }[];
}

/** Flattens the edges of a graph into arcs between places; what leads to `end` leads nowhere. */
export function placesOf(ir: Pick<Ir, "edges">): FlowPlaces {
  const building: Building = {
    ...{ arcs: [], branches: new Map(), eaches: [], waiting: new Set() },
    pickers: pickersOf(ir.edges),
  };
  for (const edge of ir.edges) addEdge(edge, building);
  const { arcs, branches, eaches } = building;
  return { arcs, next: outgoing(arcs), branches, eaches };
}

/** The nodes of one scope that hand over, by `a | b` behind their arrow: a `return` leads back to one of them. */
export function pickersOf(edges: readonly EdgeIr[]): readonly FlowPlace[] {
  const picking = edges.filter(({ route }) => picksIn(route));
  return [...new Set(picking.flatMap(({ from }) => (from.kind === "any" ? from.nodes : [])))];
}

interface Building {
  /** The nodes to which a `return` may lead in the scope at hand. */
  readonly pickers: readonly FlowPlace[];
  /** The joins that their nodes lead to already. */
  readonly waiting: Set<string>;
  readonly arcs: Arc[];
  readonly branches: Map<FlowPlace, readonly FlowBranch[]>;
  readonly eaches: { readonly each: EachIr; readonly nodes: readonly string[] }[];
}

function addEdge(edge: EdgeIr, building: Building): void {
  for (const from of sourcePlaces(edge.from, building))
    addRoute(from, routeFrom(edge, from), edge.on, building);
}

/** The places an edge leaves from; a join is one place that its nodes lead to. */
function sourcePlaces(source: SourceIr, { arcs, waiting }: Building): readonly FlowPlace[] {
  if (source.kind === "start") return ["start"];
  if (source.kind === "any") return source.nodes;
  const join = joinPlace(source.nodes);
  for (const node of waiting.has(join) ? [] : source.nodes)
    arcs.push({ ...plainFrom(node), to: join, span: undefined });
  waiting.add(join);
  return [join];
}

/** The place where `[a, b]` waits. */
export function joinPlace(nodes: readonly string[]): FlowPlace {
  return `[${nodes.join(", ")}]`;
}

export function isJoin(place: FlowPlace): boolean {
  return place.startsWith("[");
}

function addRoute(from: FlowPlace, route: RouteIr, on: EdgeIr["on"], building: Building): void {
  const branch = branchOf(on, route, building.pickers);
  building.branches.set(from, [...(building.branches.get(from) ?? []), branch]);
  addArcs({ ...plainFrom(from), on }, route, building);
}

function branchOf(on: EdgeIr["on"], route: RouteIr, pickers: readonly FlowPlace[]): FlowBranch {
  const alternatives = alternativesOf(route, pickers);
  return { on, when: route.when, alternatives, detached: detachedIn(route, pickers) };
}

type RouteWay = Omit<Arc, "to" | "span">;

function plainFrom(from: FlowPlace): RouteWay {
  return { from, on: "done", isBounded: false, isDetached: false, sets: [] };
}

function addArcs(before: RouteWay, route: RouteIr, building: Building): void {
  const way = {
    ...before,
    isBounded: before.isBounded || route.max !== undefined,
    isDetached: before.isDetached || route.detached === true,
    sets: [...before.sets, ...(route.sets ?? [])],
  };
  switch (route.kind) {
    case "to":
    case "pick":
      for (const { node, span } of route.targets)
        for (const to of placesNamed(node, building.pickers))
          building.arcs.push({ ...way, to, span: span ?? route.span });
      return;
    case "choice":
      for (const branch of route.branches) addArcs(way, branch.route, building);
      return;
    case "match":
      for (const one of route.cases) addArcs(way, one.route, building);
      return;
    case "each":
      building.arcs.push({ ...way, to: eachPlace(route.each), span: route.span });
      addEach(route.each, building);
  }
}

/** The places that a target stands for: none for `end`, all who may have handed over for `return`. */
function placesNamed(node: string, pickers: readonly FlowPlace[]): readonly FlowPlace[] {
  if (node === RETURN) return pickers;
  return isNodeTarget(node) ? [node] : [];
}

/** The place of an `each` as a whole: its items start there, and what follows it goes on from there. */
export function eachPlace(each: EachIr): FlowPlace {
  return `each ${each.id}`;
}

function addEach(each: EachIr, building: Building): void {
  if (building.eaches.some((known) => known.each === each)) return;
  const place = eachPlace(each);
  building.eaches.push({ each, nodes: nodesInEach(each) });
  const inside = { ...building, pickers: pickersOf(each.edges) };
  addArcs(plainFrom(place), each.entry, inside);
  for (const edge of each.edges) addEdge(edge, inside);
  if (each.then !== undefined) addArcs(plainFrom(place), each.then, building);
  for (const { on, route } of each.failing ?? [])
    addArcs({ ...plainFrom(place), on }, route, building);
  // The items and what follows them are never at work at once, so they are alternatives of one branch.
  const after = each.then === undefined ? [] : alternativesOf(each.then, building.pickers);
  building.branches.set(place, [
    {
      on: "done",
      when: undefined,
      alternatives: [...alternativesOf(each.entry, inside.pickers), ...after],
      detached: [each.entry, ...(each.then === undefined ? [] : [each.then])].flatMap((route) =>
        detachedIn(route, building.pickers),
      ),
    },
    ...(each.failing ?? []).map(({ on, route }) => branchOf(on, route, building.pickers)),
  ]);
}

function alternativesOf(
  route: RouteIr,
  pickers: readonly FlowPlace[],
): readonly (readonly FlowPlace[])[] {
  switch (route.kind) {
    case "to":
      if (route.targets.some(({ node }) => node === RETURN)) return pickers.map((node) => [node]);
      return [route.targets.map((target) => target.node).filter(isNodeTarget)];
    case "pick":
      return route.targets.flatMap(({ node }) => placesNamed(node, pickers).map((to) => [to]));
    case "choice":
      return route.branches.flatMap((branch) => alternativesOf(branch.route, pickers));
    case "match":
      return route.cases.flatMap((one) => alternativesOf(one.route, pickers));
    case "each":
      return [[eachPlace(route.each)]];
  }
}

function detachedIn(route: RouteIr, pickers: readonly FlowPlace[]): readonly FlowPlace[] {
  if (route.detached === true) return alternativesOf(route, pickers).flat();
  switch (route.kind) {
    case "choice":
      return route.branches.flatMap((branch) => detachedIn(branch.route, pickers));
    case "match":
      return route.cases.flatMap((one) => detachedIn(one.route, pickers));
    default:
      return [];
  }
}

/** The nodes that run for the items of an `each`, those of inner ones too. */
function nodesInEach(each: EachIr): readonly string[] {
  const routes = [each.entry, ...each.edges.map((edge) => edge.route)];
  return [...new Set(routes.flatMap(nodesInRoute))];
}

function nodesInRoute(route: RouteIr): readonly string[] {
  switch (route.kind) {
    case "to":
    case "pick":
      return route.targets.map((target) => target.node).filter(isNodeTarget);
    case "choice":
      return route.branches.flatMap((branch) => nodesInRoute(branch.route));
    case "match":
      return route.cases.flatMap((one) => nodesInRoute(one.route));
    case "each": {
      return [...nodesInEach(route.each), ...routesBehind(route.each).flatMap(nodesInRoute)];
    }
  }
}

/** The arcs that leave each place. */
export type Outgoing = ReadonlyMap<FlowPlace, readonly Arc[]>;

/** Arcs by the place they leave. */
export function outgoing(arcs: readonly Arc[]): Outgoing {
  return Map.groupBy(arcs, (arc) => arc.from);
}

/** Every place that can be reached from some, they themselves included; `isClosed` places are reached but not left. */
export function reach(
  from: readonly FlowPlace[],
  arcs: Outgoing,
  isClosed: (place: FlowPlace) => boolean = () => false,
): ReadonlySet<FlowPlace> {
  const reached = new Set(from);
  const waiting = [...from];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (isClosed(place)) continue;
    for (const { to } of arcs.get(place) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      waiting.push(to);
    }
  }
  return reached;
}
