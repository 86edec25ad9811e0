/** Names the outlets of a program as its text does: by the node, join or `each` that leaves by them. */
import type { EachIr, RouteIr } from "../../../dsl/index.ts";
import type { FailureEdge, Outlet, Program } from "./program.ts";

/** An outlet, and who leaves by it; `on` of an ending other than `done`. */
export interface OutletPlace {
  readonly outlet: Outlet;
  readonly from: string;
  readonly on?: FailureEdge;
}

/** The outlets that stand in the text: waits have others. */
export function outletPlaces({ start, nodes, joins, eaches }: Program): readonly OutletPlace[] {
  const failing = (from: string, of: Readonly<Partial<Record<FailureEdge, Outlet>>>) =>
    Object.entries(of).map(([on, outlet]) => ({ from, outlet, on: on as FailureEdge }));
  return [
    { outlet: start, from: "start" },
    ...nodes.flatMap((node) =>
      node.isWait === true
        ? []
        : [{ outlet: node.outlet, from: node.ir.name }, ...failing(node.ir.name, node.failing)],
    ),
    ...joins.flatMap(({ name, outlet, failing: of }) => [
      { outlet, from: name },
      ...failing(name, of),
    ]),
    ...eaches.flatMap(({ ir, entry, then, failing: of }) => [
      { outlet: entry, from: eachName(ir) },
      { outlet: then, from: eachName(ir) },
      ...failing(eachName(ir), of),
    ]),
  ];
}

export function eachName({ variable }: EachIr): string {
  return `each ${variable}`;
}

/** Returns who leaves by the outlet that a route stands behind. */
export function sourceOf(program: Program, route: RouteIr): string | undefined {
  return outletPlaces(program).find(({ outlet }) =>
    outlet.edges.some((edge) => hasRoute(edge.route, route)),
  )?.from;
}

function hasRoute(route: RouteIr, wanted: RouteIr): boolean {
  if (route === wanted) return true;
  switch (route.kind) {
    case "choice":
      return route.branches.some((branch) => hasRoute(branch.route, wanted));
    case "match":
      return route.cases.some((one) => hasRoute(one.route, wanted));
    case "to":
    case "pick":
    case "each":
      return false;
  }
}
