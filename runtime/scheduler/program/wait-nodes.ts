/**
 * Waits before a decision: `a -> { … } after 5m`. What is chosen is decided when the time has come, so the wait is a node
 * run of its own, of a node that the graph does not write and that does nothing. Before plain nodes none is needed: there
 * the node run itself waits.
 */
import {
  type Ir,
  type NodeIr,
  printDuration,
  type RouteIr,
  routesBehind,
} from "../../../dsl/index.ts";
import type { ShownFailure } from "../lookup.ts";
import type { NodeRun } from "../snapshot/snapshot.ts";
import type { Program } from "./program.ts";

export interface Wait {
  readonly node: NodeIr;
  /** The arrow that waits. */
  readonly route: RouteIr;
  /** The route once the time has come. */
  readonly rest: RouteIr;
}

/** The waits of a graph, in the order of the text: their nodes are numbered behind its own. */
export function waitsOf({ edges }: Pick<Ir, "edges">): readonly Wait[] {
  const waits: Wait[] = [];
  const names = new Set<string>();
  const nameOf = (afterMs: number) => {
    const base = `after ${printDuration(afterMs)}`;
    let name = base;
    for (let count = 2; names.has(name); count += 1) name = `${base} (${count})`;
    names.add(name);
    return name;
  };
  const visit = (route: RouteIr, each: string | undefined): void => {
    const { afterMs } = route;
    if (afterMs !== undefined && !leadsToNodes(route))
      waits.push({ node: waitNode(nameOf(afterMs), each), route, rest: restOf(route) });
    if (route.kind === "choice") for (const one of route.branches) visit(one.route, each);
    if (route.kind === "match") for (const one of route.cases) visit(one.route, each);
    if (route.kind !== "each") return;
    const { id, entry } = route.each;
    visit(entry, id);
    for (const edge of route.each.edges) visit(edge.route, id);
    for (const behind of routesBehind(route.each)) visit(behind, each);
  };
  for (const edge of edges) visit(edge.route, undefined);
  return waits;
}

/** Returns what a wait keeps of the node before it, for the decision after it. */
export function waitArgs({
  args,
  result,
  error,
}: {
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly result?: unknown;
  readonly error?: unknown;
}): Readonly<Record<string, unknown>> {
  return {
    ...args,
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Returns the result of a wait: the result of the node before it. */
export function waitResult({ args }: Pick<NodeRun, "args">): unknown {
  const { result } = args ?? {};
  return result;
}

/** Returns the failure for which the arrow of a wait was taken; nothing of a node that the graph writes. */
export function waitedFailure(
  { ir, nodes }: Program,
  { node, args = {} }: Pick<NodeRun, "node" | "args">,
): ShownFailure | undefined {
  const isWait = node >= ir.nodes.length && node < nodes.length;
  return isWait ? (args.error as ShownFailure | undefined) : undefined;
}

function leadsToNodes(route: RouteIr): boolean {
  if (route.kind !== "to" && route.kind !== "pick") return false;
  return route.targets.every(({ node }) => node !== "end");
}

/** The same arrow without what is decided before the wait. Of `a | end` only the end waits here. */
function restOf(route: RouteIr): RouteIr {
  switch (route.kind) {
    case "to":
    case "pick":
      return { kind: "to", targets: [{ node: "end", args: [] }] };
    case "choice":
      return { kind: "choice", branches: route.branches };
    case "match":
      return { kind: "match", subject: route.subject, cases: route.cases };
    case "each":
      return { kind: "each", each: route.each };
  }
}

function waitNode(name: string, each: string | undefined): NodeIr {
  return {
    name,
    kind: "run",
    params: [],
    ...(each === undefined ? {} : { each }),
    tools: [],
    skills: [],
    edits: [],
    writes: [],
    sets: [],
    ensures: [],
    recalls: [],
    stores: [],
    approvals: [],
  };
}
