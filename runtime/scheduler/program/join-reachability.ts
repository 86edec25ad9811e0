/** Works out from the graph which tokens can still reach a join, when a run first asks for it. */
import { once } from "../../../dsl/index.ts";
import {
  eachPlace,
  type JoinWays,
  joinPlace,
  leavesOf,
  nodePlace,
  type Outlet,
  type Places,
  type Program,
  type ProgramJoin,
  reachable,
  scopeAround,
  successors,
} from "./program.ts";

type LinkedJoin = Pick<
  Program,
  "nodes" | "eaches" | "nodeNumbers" | "eachNumbers" | "start" | "waits"
> & {
  readonly joins: readonly Omit<ProgramJoin, "ways">[];
};

/** The ways to each join, in the order of the joins. */
export function joinReachability(program: LinkedJoin): readonly JoinWays[] {
  const graph = once(() => graphOf(program));
  return program.joins.map((join) => waysTo(program, join, graph));
}

interface TokenGraph {
  readonly next: readonly (readonly number[])[];
  readonly previous: readonly (readonly number[])[];
  /** The same for success alone, with -1 for `end`. */
  readonly success: readonly (readonly number[])[];
  /** By outlet, with the place that it leaves, and the scope of that. */
  readonly forks: ReadonlyMap<
    number,
    { readonly outlet: Outlet; readonly place: number; readonly scope: number }
  >;
}

function graphOf(program: LinkedJoin): TokenGraph {
  const next = successors(program);
  const leaving = (place: number, scope: number, outlets: readonly Outlet[]) =>
    outlets.map((outlet) => ({ outlet, place, scope }));
  const forks = [
    ...leaving(NOWHERE, -1, [program.start]),
    ...program.eaches.flatMap(({ index, entry }) => leaving(NOWHERE, index, [entry])),
    ...program.nodes.flatMap(({ index, outlet, failing, each }) =>
      leaving(nodePlace(index), each, [outlet, ...Object.values(failing)]),
    ),
    ...program.joins.flatMap(({ index, outlet, failing, each }) =>
      leaving(joinPlace(program, index), each, [outlet, ...Object.values(failing)]),
    ),
    ...program.eaches.flatMap(({ index, then, failing }) =>
      leaving(eachPlace(program, index), scopeAround(program, index), [
        then,
        ...Object.values(failing),
      ]),
    ),
  ].filter(({ outlet }) => outlet.width > 1);
  return {
    next,
    previous: reversed(next),
    success: successWays(program),
    forks: new Map(forks.map((fork) => [fork.outlet.id, fork])),
  };
}

function waysTo(
  program: LinkedJoin & Places,
  join: Omit<ProgramJoin, "ways">,
  graph: () => TokenGraph,
): JoinWays {
  const barrier = joinPlace(program, join.index);
  const reach = cached((source: number) =>
    reachable(graph().previous, [nodePlace(join.nodes[source] ?? -1)], barrier),
  );
  const closes = cached((id: number) => {
    const fork = graph().forks.get(id);
    if (fork === undefined) return false;
    // What comes to the fork again forks anew: that is no way from this fork to the join.
    const isAhead = (place: number) => place !== fork.place;
    const region = reachable(
      graph().next,
      leavesOf(program, fork.outlet, fork.scope),
      barrier,
      isAhead,
    );
    const sources = join.nodes.map(nodePlace);
    if (!sources.every((place) => region.has(place))) return false;
    const within = (place: number) => region.has(place);
    return reachable(graph().previous, sources, barrier, within).size === region.size;
  });
  const isCaptive = cached((place: number) => {
    const region = reachable(graph().success, [place], barrier);
    if (region.has(END)) return false;
    const sources = join.nodes.map(nodePlace).filter((source) => region.has(source));
    const within = (other: number) => region.has(other);
    return reachable(graph().previous, sources, barrier, within).size === region.size;
  });
  return { canCome: (place, source) => reach(source).has(place), closes, isCaptive };
}

const END = -1;
const NOWHERE = -2;

/** Returns the places to which success leads from each place, a written `end` included. */
function successWays(program: LinkedJoin): readonly (readonly number[])[] {
  const ways = (outlet: Outlet, scope: number) => [
    ...leavesOf(program, outlet, scope),
    ...(outlet.edges.some(({ route }) => mentionsEnd(program, route)) ? [END] : []),
  ];
  return [
    ...program.nodes.map(({ outlet, each }) => ways(outlet, each)),
    ...program.joins.map(({ outlet, each }) => ways(outlet, each)),
    ...program.eaches.map(({ then, index }) => ways(then, scopeAround(program, index))),
  ];
}

function mentionsEnd(program: LinkedJoin, route: Outlet["edges"][number]["route"]): boolean {
  // Behind a wait, its own outlet says so.
  if (route.detached === true || program.waits.has(route)) return false;
  switch (route.kind) {
    case "to":
    case "pick":
      return route.targets.some(({ node }) => node === "end");
    case "choice":
      return route.branches.some((branch) => mentionsEnd(program, branch.route));
    case "match":
      return route.cases.some((choice) => mentionsEnd(program, choice.route));
    case "each":
      return false;
  }
}

function reversed(next: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const previous: number[][] = next.map(() => []);
  for (const [place, successors] of next.entries()) {
    for (const successor of successors) previous[successor]?.push(place);
  }
  return previous;
}

function cached<T>(make: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
