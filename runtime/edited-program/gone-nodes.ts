/** Keeps nodes that an edited program no longer has: their past can be read, their open work is dropped. */
import {
  type EachIr,
  type EdgeIr,
  type Ir,
  type NodeIr,
  type RouteIr,
  routesBehind,
  type TargetIr,
} from "../../dsl/index.ts";
import type { NumberedIr } from "../scheduler/program/numbering.ts";

/** Returns the new name of a node of the log. */
export type GoneNaming = (name: string) => string;

export interface GoneParts {
  readonly nodes: readonly NodeIr[];
  /** The edges by which dropped work continues, by the `each` that contains it. */
  readonly edges: ReadonlyMap<string | undefined, readonly EdgeIr[]>;
}

export function goneNodes(before: NumberedIr, after: Ir, nowCalled: GoneNaming): GoneParts {
  const isThere = new Set(after.nodes.map(({ name }) => name));
  const gone = before.nodes.filter(({ name }) => !isThere.has(nowCalled(name)));
  const eachOf = eachesNow(before, after, nowCalled);
  const ways = waysOf(before);
  const nodes = gone.map(({ each, ...node }): NodeIr => {
    const now = each === undefined ? undefined : eachOf(each);
    return inertNode({ ...node, ...(now === undefined ? {} : { each: now }) });
  });
  const edges = nodes.map(({ name, each }) => {
    const targets = remainingTargets(ways, name, (node) => {
      const now = after.nodes.find((one) => one.name === nowCalled(node));
      return now !== undefined && now.each === each ? now.name : undefined;
    });
    const end: TargetIr = { node: "end", args: [] };
    const route: RouteIr = { kind: "to", targets: targets.length === 0 ? [end] : targets };
    const from = { kind: "any", nodes: [name] } as const;
    return { each, edge: { from, on: "deny", route } satisfies EdgeIr };
  });
  const byEach = Map.groupBy(edges, ({ each }) => each);
  return {
    nodes,
    edges: new Map([...byEach].map(([each, list]) => [each, list.map(({ edge }) => edge)])),
  };
}

/** It needs nothing of the scope or of people any more. */
function inertNode({
  call,
  model: _,
  controller: __,
  retry: ___,
  limit: ____,
  cache: _____,
  every: ______,
  context: _______,
  ...node
}: NodeIr): NodeIr {
  const called = node.kind === "graph" && call !== undefined ? { call } : {};
  return {
    ...node,
    ...called,
    tools: [],
    skills: [],
    ensures: [],
    approvals: [],
    recalls: [],
    stores: [],
  };
}

/** The same program, where nothing is performed any more. */
export function readOnly<T extends Pick<Ir, "nodes">>(graph: T): T {
  return { ...graph, nodes: graph.nodes.map(inertNode) };
}

/** The `each` of the other program that has what this one has. */
function eachesNow(before: Ir, after: Ir, nowCalled: GoneNaming) {
  return (each: string): string | undefined => {
    const names = before.nodes
      .filter((one) => one.each === each)
      .map(({ name }) => nowCalled(name));
    return after.nodes.find(({ name }) => names.includes(name))?.each;
  };
}

/** By node: what followed it in any case. */
type WaysOn = ReadonlyMap<string, readonly TargetIr[]>;

function waysOf({ edges, gone = [] }: NumberedIr): WaysOn {
  const ways = new Map<string, TargetIr[]>();
  for (const { from, on, route } of allEdges(edges)) {
    if (from.kind !== "any" || !isAlways(route)) continue;
    for (const node of from.nodes) {
      if (on !== (gone.includes(node) ? "deny" : "done")) continue;
      ways.set(node, [...(ways.get(node) ?? []), ...route.targets]);
    }
  }
  return ways;
}

function isAlways(route: RouteIr): route is RouteIr & { readonly kind: "to" } {
  return route.kind === "to" && (route.when ?? route.max ?? route.afterMs) === undefined;
}

/** The first ones on the way that are still there. */
function remainingTargets(
  ways: WaysOn,
  from: string,
  nowOf: (node: string) => string | undefined,
): readonly TargetIr[] {
  const seen = new Set<string>([from]);
  const found = new Map<string, TargetIr>();
  const visit = (node: string): void => {
    for (const target of ways.get(node) ?? []) {
      if (seen.has(target.node)) continue;
      seen.add(target.node);
      const now = nowOf(target.node);
      if (now === undefined) visit(target.node);
      else found.set(now, { ...target, node: now });
    }
  };
  visit(from);
  return [...found.values()];
}

function allEdges(edges: readonly EdgeIr[]): readonly EdgeIr[] {
  return edges.flatMap((edge) => [edge, ...eachesIn(edge.route).flatMap(edgesOf)]);
}

function edgesOf(each: EachIr): readonly EdgeIr[] {
  const inner = [each.entry, ...routesBehind(each)].flatMap(eachesIn).flatMap(edgesOf);
  return [...allEdges(each.edges), ...inner];
}

function eachesIn(route: RouteIr): readonly EachIr[] {
  switch (route.kind) {
    case "each":
      return [route.each];
    case "choice":
      return route.branches.flatMap((branch) => eachesIn(branch.route));
    case "match":
      return route.cases.flatMap((one) => eachesIn(one.route));
    default:
      return [];
  }
}

/** The edges of a graph with those of what is gone behind them, each in the `each` that it is of. */
export function withEdges(edges: readonly EdgeIr[], more: GoneParts["edges"]): readonly EdgeIr[] {
  const inRoute = (route: RouteIr): RouteIr => {
    switch (route.kind) {
      case "each":
        return { ...route, each: inEach(route.each) };
      case "choice":
        return {
          ...route,
          branches: route.branches.map((branch) => ({ ...branch, route: inRoute(branch.route) })),
        };
      case "match":
        return {
          ...route,
          cases: route.cases.map((one) => ({ ...one, route: inRoute(one.route) })),
        };
      default:
        return route;
    }
  };
  const inEdges = (list: readonly EdgeIr[], each: string | undefined): readonly EdgeIr[] => [
    ...list.map((edge) => ({ ...edge, route: inRoute(edge.route) })),
    ...(more.get(each) ?? []),
  ];
  const inEach = (each: EachIr): EachIr => ({
    ...each,
    entry: inRoute(each.entry),
    edges: inEdges(each.edges, each.id),
    ...(each.then === undefined ? {} : { then: inRoute(each.then) }),
    ...(each.failing === undefined
      ? {}
      : { failing: each.failing.map((one) => ({ ...one, route: inRoute(one.route) })) }),
  });
  return more.size === 0 ? edges : inEdges(edges, undefined);
}
