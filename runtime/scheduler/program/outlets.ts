/** Collects the arrows of a graph by what they leave, and builds the outlets of its nodes, `each`es and joins. */
import {
  type EachIr,
  type EdgeIr,
  type Ir,
  type RouteIr,
  routesBehind,
  type SourceIr,
} from "../../../dsl/index.ts";
import type { Outlet } from "./program.ts";

// Builds the outlets of nodes, `each`es and joins: their arrows, the joins that wait for them, their number of
// branches.

/** Makes outlets, numbering them; edges and joins of one outlet share its branch numbers. */
export function outletMaker({
  only,
  number,
  joins: waiting,
  ghosts,
}: {
  readonly only: ReturnType<typeof onlyTargets>;
  readonly number: (place: number) => number;
  readonly joins: ReturnType<typeof joinsByNode>;
  readonly ghosts: (outlet: number) => readonly number[];
}) {
  let place = 0;
  return (of: {
    readonly edges?: readonly EdgeIr[];
    readonly routes?: readonly RouteIr[];
    readonly node?: string;
  }): Outlet => {
    let width = 0;
    const taking = (branches: number): number => {
      width += branches;
      return width - branches;
    };
    const edges = [
      ...(of.edges ?? []).map((edge) => ({ edge, route: edge.route })),
      ...(of.routes ?? []).map((route) => ({ edge: undefined, route })),
    ].map((edge) => ({ ...edge, branch: taking(widthOf(edge.route)) }));
    // What is detached forks nothing; its branch only has a place of its own.
    const detached = edges.reduce((sum, { route }) => sum + detachedWidth(route), 0);
    const joins = (waiting.get(of.node ?? "") ?? []).map((join) => ({
      ...join,
      branch: taking(1),
    }));
    const id = number(place);
    place += 1;
    const way = joins.length === 0 && edges.length === 1 ? only(edges[0]?.route) : undefined;
    const gone = ghosts(id);
    const more = gone.length === 0 ? {} : { ghosts: gone };
    return { id, edges, joins, width: width - detached, only: way, ...more };
  };
}

/** The node of a route to one that is taken as it is, whatever the state is. */
export function onlyTargets(
  { nodes }: Ir,
  numbers: readonly number[],
): (route: RouteIr | undefined) => number | undefined {
  const plain = new Map(
    nodes.flatMap(({ name, params, every }, place) =>
      params.length === 0 && every === undefined ? [[name, numbers[place] ?? place]] : [],
    ),
  );
  return (route) => {
    if (route?.kind !== "to" || route.targets.length !== 1) return undefined;
    const { when, max, afterMs, detached, sets = [] } = route;
    const isPlain = (when ?? max ?? afterMs ?? detached) === undefined && sets.length === 0;
    return isPlain ? plain.get(route.targets[0]?.node ?? "") : undefined;
  };
}

/** Returns the number of branches that a route can start side by side. */
function widthOf(route: RouteIr): number {
  switch (route.kind) {
    case "to":
      return route.targets.length;
    case "pick":
    case "each":
      return 1;
    case "choice":
      return Math.max(1, ...route.branches.map((branch) => widthOf(branch.route)));
    case "match":
      return Math.max(1, ...route.cases.map((choice) => widthOf(choice.route)));
  }
}

function detachedWidth(route: RouteIr): number {
  return route.detached === true ? widthOf(route) : 0;
}

// The arrows of a graph, wherever in its text they stand, by what they leave.

export interface Flow {
  readonly edges: readonly EdgeIr[];
  readonly eaches: readonly EachIr[];
  /** Those that wait for success; an arrow that leaves a join `on error` belongs to the join itself. */
  readonly joins: readonly FlowJoin[];
  readonly routes: readonly RouteIr[];
}

export interface FlowJoin {
  readonly edge: EdgeIr & { readonly from: Extract<SourceIr, { readonly kind: "join" }> };
  readonly each: string | undefined;
}

/** All edges, `each`es, joins and routes, however deep, in the order of the text. */
export function collectFlow(ir: Ir): Flow {
  const edges: EdgeIr[] = [];
  const eaches: EachIr[] = [];
  const joins: FlowJoin[] = [];
  const routes: RouteIr[] = [];
  const visitRoute = (route: RouteIr): void => {
    routes.push(route);
    if (route.kind === "choice") for (const branch of route.branches) visitRoute(branch.route);
    if (route.kind === "match") for (const choice of route.cases) visitRoute(choice.route);
    if (route.kind === "each") visitEach(route.each);
  };
  const visitEach = (each: EachIr): void => {
    eaches.push(each);
    visitRoute(each.entry);
    visitEdges(each.edges, each.id);
    for (const behind of routesBehind(each)) visitRoute(behind);
  };
  const visitEdges = (list: readonly EdgeIr[], each: string | undefined): void => {
    for (const edge of list) {
      edges.push(edge);
      const { from } = edge;
      if (from.kind === "join" && edge.on === "done") joins.push({ edge: { ...edge, from }, each });
      visitRoute(edge.route);
    }
  };
  visitEdges(ir.edges, undefined);
  return { edges, eaches, joins, routes };
}

/** The arrows that leave a node on some ending, in the order of the text. */
export function edgesByNode(flow: Flow): (node: string, word: EdgeIr["on"]) => readonly EdgeIr[] {
  const known = new Map<string, EdgeIr[]>();
  const add = (key: string, edge: EdgeIr) => {
    const list = known.get(key);
    if (list === undefined) known.set(key, [edge]);
    else list.push(edge);
  };
  const joined = new Set(flow.joins.map(({ edge }) => joinName(edge.from.nodes)));
  for (const edge of flow.edges) {
    const { from, on } = edge;
    if (from.kind === "start") continue;
    // What no join waits for, and is left on a failure: whichever of them fails.
    const isOfNodes = from.kind === "any" || (on !== "done" && !joined.has(joinName(from.nodes)));
    if (isOfNodes) for (const name of new Set(from.nodes)) add(`${on} ${name}`, edge);
  }
  return (node, word) => known.get(`${word} ${node}`) ?? [];
}

/** By the name of a join: the arrows that leave it when it fails. */
export function failuresByJoin(
  flow: Flow,
): ReadonlyMap<string, ReadonlyMap<string, readonly EdgeIr[]>> {
  const ofJoins = flow.edges.flatMap((edge) =>
    edge.from.kind === "join" && edge.on !== "done"
      ? [{ name: joinName(edge.from.nodes), edge }]
      : [],
  );
  const grouped = [...Map.groupBy(ofJoins, ({ name }) => name)];
  return new Map(
    grouped.map(([name, list]) => [
      name,
      Map.groupBy(
        list.map(({ edge }) => edge),
        ({ on }) => on,
      ),
    ]),
  );
}

/** By node: the joins that wait for it, and as which of their sources. */
export function joinsByNode(
  flow: Flow,
  of: {
    readonly numbers: readonly number[];
    readonly nodesOf: (place: number) => readonly string[];
  },
) {
  const sources = flow.joins.flatMap((_, place) =>
    of.nodesOf(place).map((node, source) => ({ node, join: of.numbers[place] ?? place, source })),
  );
  const grouped = [...Map.groupBy(sources, ({ node }) => node)];
  return new Map(
    grouped.map(([node, list]) => [node, list.map(({ join, source }) => ({ join, source }))]),
  );
}

/** `[a, b]` */
export function joinName(nodes: readonly string[]): string {
  return `[${nodes.join(", ")}]`;
}
