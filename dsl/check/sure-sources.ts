/** Which sources of a join surely come to it once another one has: what is released brings nothing. */
import type { EdgeIr, Ir, RouteIr } from "../ir.ts";
import { eachPlace, isJoin, joinPlace, type Place, type Places } from "./places.ts";
import { allEdges, eachesIn, routesIn } from "./routes.ts";

/** The sources that have surely come where `source` has, itself among them. */
export type SureWith = (sources: readonly string[], source: string) => readonly string[];

/** Conditions may turn out either way; a way that is only counted (`max`) is taken. */
export function sureSources(ir: Pick<Ir, "edges">, places: Places): SureWith {
  const ways = waysOf(ir.edges);
  const starts = allEdges(ir.edges).flatMap(({ route }) => startsOf(route));
  const around = placesBefore(places);
  const leading = new Map<string, ReadonlySet<Place>>();
  const leadsTo = (node: string) => {
    const known = leading.get(node) ?? provenBy(node, ways, starts);
    leading.set(node, known);
    return known;
  };
  return (sources, source) =>
    sources.filter((other) => {
      const leads = leadsTo(other);
      return other === source || [...(around.get(source) ?? [])].some((place) => leads.has(place));
    });
}

interface Way {
  readonly from: Place;
  readonly on: EdgeIr["on"];
  readonly surelyStarts: (isSure: (place: Place) => boolean) => boolean;
}

function waysOf(edges: readonly EdgeIr[]): readonly Way[] {
  return allEdges(edges).flatMap(({ from, on, route }): readonly Way[] => {
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

function arrival(from: Place, join: Place): Way {
  return { from, on: "done", surelyStarts: (isSure) => isSure(join) };
}

/** An item starts, and when all are over what follows them. */
function waysInEach(each: Parameters<typeof eachPlace>[0]): readonly Way[] {
  const place = eachPlace(each);
  const after = each.then === undefined ? [] : [wayAlong(place, "done", each.then)];
  const failing = (each.failing ?? []).map(({ on, route }) => wayAlong(place, on, route));
  return [wayAlong(place, "done", each.entry), ...after, ...failing];
}

function wayAlong(from: Place, on: EdgeIr["on"], route: RouteIr): Way {
  return { from, on, surelyStarts: (isSure) => surelyStarts(route, isSure) };
}

function surelyStarts(route: RouteIr, isSure: (place: Place) => boolean): boolean {
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

/** What a route starts at once, for each thing that it may start. */
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
  ways: readonly Way[],
  starts: readonly (readonly string[])[],
): ReadonlySet<Place> {
  const leading = new Set<Place>([node]);
  const from = Map.groupBy(ways, (way) => way.from);
  const startsSurely = (way: Way) => way.surelyStarts(isSure);
  // What fails and has an arrow for that is not over as it should be.
  const isSure = (place: Place) => {
    const failing = (from.get(place) ?? []).filter(({ on }) => on !== "done");
    return leading.has(place) && failing.every(startsSurely);
  };
  for (let before = 0; before !== leading.size; ) {
    before = leading.size;
    for (const [place, own] of from)
      if (own.some((way) => way.on === "done" && startsSurely(way))) leading.add(place);
  }
  const places = new Set(starts.flat());
  const beside = [...places].filter((place) =>
    starts.every((targets) => !targets.includes(place) || targets.some(isSure)),
  );
  return new Set([...leading, ...beside]);
}

/** For each place, those that a run has surely passed when it is there; of a join, those of any of its nodes. */
function placesBefore({ arcs }: Places): ReadonlyMap<Place, ReadonlySet<Place>> {
  const before = new Map<Place, ReadonlySet<Place>>([["start", new Set(["start"])]]);
  const incoming = Map.groupBy(arcs, (arc) => arc.to);
  // Sets of places only shrink once they are there, but for those of joins, which wait for the last of their nodes.
  for (let round = 0, changed = true; changed && round <= incoming.size; round += 1) {
    changed = false;
    for (const [place, own] of incoming) {
      const sets = own.flatMap(({ from }) => before.get(from) ?? []);
      const [first, ...others] = sets;
      if (first === undefined) continue;
      const all = new Set(sets.flatMap((set) => [...set]));
      const joined = isJoin(place)
        ? all
        : [...all].filter((one) => others.every((set) => set.has(one)) && first.has(one));
      const next = new Set([...joined, place]);
      if (next.size === before.get(place)?.size) continue;
      before.set(place, next);
      changed = true;
    }
  }
  return before;
}
