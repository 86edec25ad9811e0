/** Computes which sources of a join surely arrive once another one has. */
import type { EdgeIr, Ir, RouteIr } from "../../ir/ir.ts";
import { once } from "../../once.ts";
import {
  type Arc,
  eachPlace,
  type FlowPlace,
  type FlowPlaces,
  isJoin,
  joinPlace,
} from "../flow/places.ts";
import { allEdges, eachesIn, routesIn } from "../flow/routes.ts";

/** The sources that have surely come where `source` has, itself among them. */
export type SureWith = (sources: readonly string[], source: string) => readonly string[];

/** Each source of a join is looked at along the whole graph: above this many looks a check would keep people waiting. */
const LOOKS_MAX = 100_000;

/**
 * Conditions may turn out either way; a way that is only counted (`max`) is taken. In graphs that are too large for a look
 * along all of it from each source, all sources are taken to come.
 */
export function sureSources(ir: Pick<Ir, "edges">, places: FlowPlaces): SureWith {
  const joined = allEdges(ir.edges).flatMap(({ from }) => (from.kind === "join" ? from.nodes : []));
  if (joined.length * places.arcs.length > LOOKS_MAX) return (sources) => sources;
  const flow: SourceFlow = {
    ways: once(() => Map.groupBy(waysOf(ir.edges), (way) => way.from)),
    starts: once(() => startsByPlace(ir.edges)),
    incoming: once(() => Map.groupBy(places.arcs, (arc) => arc.to)),
  };
  const proofOf = memo((node: string) => provenBy(node, flow));
  const withoutOf = memo((node: string) => reachedWithout(proofOf(node), places, flow));
  const found = new Map<string, readonly string[]>();
  return (sources, source) => {
    const key = `${joinPlace(sources)} ${source}`;
    const isSure = (other: string) =>
      other === source || proofOf(other)(source) || !withoutOf(other).has(source);
    const known = found.get(key) ?? sources.filter(isSure);
    found.set(key, known);
    return known;
  };
}

interface SourceFlow {
  readonly ways: () => ReadonlyMap<FlowPlace, readonly ReleaseWay[]>;
  /**
   * Returns the groups of places that are started at once with each place, one group for each arrow
   * that starts it.
   */
  readonly starts: () => ReadonlyMap<FlowPlace, readonly (readonly string[])[]>;
  readonly incoming: () => ReadonlyMap<FlowPlace, readonly Arc[]>;
}

function memo<T>(make: (node: string) => T): (node: string) => T {
  const made = new Map<string, T>();
  return (node) => {
    const value = made.get(node) ?? make(node);
    made.set(node, value);
    return value;
  };
}

/** The places that a run may come to past none of the proofs; to a join, none of its nodes may have passed one. */
function reachedWithout(
  isProof: (place: FlowPlace) => boolean,
  { next }: FlowPlaces,
  { incoming }: SourceFlow,
): ReadonlySet<FlowPlace> {
  const reached = new Set<FlowPlace>();
  const waiting: FlowPlace[] = ["start"];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (reached.has(at) || isProof(at)) continue;
    if (isJoin(at) && !(incoming().get(at) ?? []).every(({ from }) => reached.has(from))) continue;
    reached.add(at);
    for (const { to } of next.get(at) ?? []) waiting.push(to);
  }
  return reached;
}

interface ReleaseWay {
  readonly from: FlowPlace;
  readonly on: EdgeIr["on"];
  readonly surelyStarts: (isSure: (place: FlowPlace) => boolean) => boolean;
}

function waysOf(edges: readonly EdgeIr[]): readonly ReleaseWay[] {
  return allEdges(edges).flatMap(({ from, on, route }): readonly ReleaseWay[] => {
    const sources =
      from.kind === "start"
        ? ["start"]
        : from.kind === "any"
          ? from.nodes
          : [joinPlace(from.nodes)];
    const join = joinPlace(from.kind === "join" ? from.nodes : []);
    const arriving = from.kind === "join" ? from.nodes.map((node) => arrival(node, join)) : [];
    const own = sources.map((place) => wayAlong(place, on, route));
    return [...own, ...arriving, ...eachesIn(route).flatMap(waysInEach)];
  });
}

function arrival(from: FlowPlace, join: FlowPlace): ReleaseWay {
  return { from, on: "done", surelyStarts: (isSure) => isSure(join) };
}

/** An item starts, and when all are over what follows them. */
function waysInEach(each: Parameters<typeof eachPlace>[0]): readonly ReleaseWay[] {
  const place = eachPlace(each);
  const after = each.then === undefined ? [] : [wayAlong(place, "done", each.then)];
  const failing = (each.failing ?? []).map(({ on, route }) => wayAlong(place, on, route));
  return [wayAlong(place, "done", each.entry), ...after, ...failing];
}

function wayAlong(from: FlowPlace, on: EdgeIr["on"], route: RouteIr): ReleaseWay {
  return { from, on, surelyStarts: (isSure) => surelyStarts(route, isSure) };
}

function surelyStarts(route: RouteIr, isSure: (place: FlowPlace) => boolean): boolean {
  if (route.when !== undefined) return false;
  switch (route.kind) {
    case "to":
      return route.targets.some(({ node }) => isSure(node));
    case "pick":
      return route.targets.every(({ node }) => isSure(node));
    case "choice":
      return (
        route.branches.some(({ when }) => when === undefined) &&
        route.branches.every((branch) => surelyStarts(branch.route, isSure))
      );
    case "match":
      return route.cases.every((one) => surelyStarts(one.route, isSure));
    case "each":
      return isSure(eachPlace(route.each));
  }
}

function startsByPlace(
  edges: readonly EdgeIr[],
): ReadonlyMap<FlowPlace, readonly (readonly string[])[]> {
  const starts = new Map<FlowPlace, (readonly string[])[]>();
  for (const targets of allEdges(edges).flatMap(({ route }) => startsOf(route)))
    for (const place of targets) starts.set(place, [...(starts.get(place) ?? []), targets]);
  return starts;
}

/**
 * Returns the groups of nodes that a route starts at once, one group for each of its alternatives.
 */
function startsOf(route: RouteIr): readonly (readonly string[])[] {
  if (route.kind === "to") return [route.targets.map(({ node }) => node)];
  if (route.kind === "pick") return route.targets.map(({ node }) => [node]);
  return routesIn(route).flatMap(startsOf);
}

/**
 * The places that a run can't have come to without the end of `node`, sooner or later: they lead to it, or whatever
 * starts them starts something beside them that does.
 */
function provenBy(
  node: string,
  { ways, starts, incoming }: SourceFlow,
): (place: FlowPlace) => boolean {
  const leading = new Set<FlowPlace>([node]);
  let sure = new Set<FlowPlace>();
  const isSure = (place: FlowPlace) => sure.has(place);
  const leadingFrom = (place: FlowPlace) => ways().get(place) ?? [];
  const startsSurely = (way: ReleaseWay) => way.surelyStarts(isSure);
  // A place with arrows for failures is sure only if each of these surely starts the node, too. Failures that lead to each
  // other in a circle never come past it.
  const isSureWithFailures = (place: FlowPlace) =>
    leadingFrom(place).every((way) => way.on === "done" || startsSurely(way));
  // The facts about a place that may fail depend on later ones: repeat until nothing new is found.
  for (let before = 0; before !== leading.size; ) {
    before = leading.size;
    sure = new Set(leading);
    for (let size = -1; size !== sure.size; ) {
      size = sure.size;
      for (const place of sure) if (!isSureWithFailures(place)) sure.delete(place);
    }
    const waiting: FlowPlace[] = [...leading];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const { from } of incoming().get(at) ?? []) {
        if (leading.has(from)) continue;
        if (!leadingFrom(from).some((way) => way.on === "done" && startsSurely(way))) continue;
        leading.add(from);
        waiting.push(from);
      }
    }
  }
  return (place) =>
    leading.has(place) || (starts().get(place) ?? [[]]).every((targets) => targets.some(isSure));
}
