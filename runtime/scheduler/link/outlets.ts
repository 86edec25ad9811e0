/** Builds the outlets of nodes, `each`es and joins: their arrows, the joins that wait for them, their number of branches. */
import type { EdgeIr, Ir, RouteIr } from "../../../dsl/index.ts";
import type { Outlet } from "../program/program.ts";
import type { joinsByNode } from "./graph-flow.ts";

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

/** How many branches a route can start side by side. */
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
