/** Numbers all places of a token: nodes, then joins, then `each`es. */

import type { RouteIr } from "../../../dsl/index.ts";
import type { Outlet, Program, ProgramJoin } from "./program.ts";

export type Places = {
  readonly nodes: { readonly length: number };
  readonly joins: { readonly length: number };
};

export const nodePlace = (node: number): number => node;
export const joinPlace = (of: Places, join: number): number => of.nodes.length + join;
export const eachPlace = (of: Places, each: number): number =>
  of.nodes.length + of.joins.length + each;

type LinkedTokens = Pick<Program, "nodes" | "eaches" | "nodeNumbers" | "eachNumbers" | "waits"> &
  Places & {
    readonly joins: readonly Pick<ProgramJoin, "outlet" | "failing">[];
  };

/** The places that a token leaving `outlet` comes to next, in the same scope. */
export function leavesOf(program: LinkedTokens, outlet: Outlet): readonly number[] {
  const leaves = outlet.edges.flatMap(({ route }) => placesBehind(program, route));
  const joins = outlet.joins.map(({ join }) => joinPlace(program, join));
  return [...leaves, ...joins, ...(outlet.ghosts ?? []).map(nodePlace)];
}

/** Detached work never comes back to this scope. */
function placesBehind(program: LinkedTokens, route: RouteIr): readonly number[] {
  if (route.detached === true) return [];
  const wait = program.waits.get(route);
  const waiting = wait === undefined ? [] : [nodePlace(wait)];
  switch (route.kind) {
    case "to":
    case "pick": {
      const numbers = route.targets.flatMap(({ node }) => program.nodeNumbers.get(node) ?? []);
      return [...numbers.map(nodePlace), ...waiting];
    }
    case "choice":
      if (wait !== undefined) return waiting;
      return route.branches.flatMap((branch) => placesBehind(program, branch.route));
    case "match":
      if (wait !== undefined) return waiting;
      return route.cases.flatMap((one) => placesBehind(program, one.route));
    case "each":
      if (wait !== undefined) return waiting;
      return [eachPlace(program, program.eachNumbers.get(route.each.id) ?? -1)];
  }
}

/** For each place, the places that come next. */
export function successors(program: LinkedTokens): readonly (readonly number[])[] {
  return [
    ...program.nodes.map(({ outlet, failing }) =>
      [outlet, ...Object.values(failing)].flatMap((one) => leavesOf(program, one)),
    ),
    ...program.joins.map(({ outlet, failing }) =>
      [outlet, ...Object.values(failing)].flatMap((one) => leavesOf(program, one)),
    ),
    ...program.eaches.map(({ then, failing }) =>
      [then, ...Object.values(failing)].flatMap((one) => leavesOf(program, one)),
    ),
  ];
}

/** All places reachable from `from` (these included) without entering `barrier` or leaving `within`. */
export function reachable(
  next: readonly (readonly number[])[],
  from: readonly number[],
  barrier: number,
  within: (place: number) => boolean = () => true,
): ReadonlySet<number> {
  const seen = new Set<number>();
  const queue = [...from];
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    if (place === barrier || seen.has(place) || !within(place)) continue;
    seen.add(place);
    queue.push(...(next[place] ?? []));
  }
  return seen;
}
