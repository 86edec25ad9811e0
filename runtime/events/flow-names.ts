/** Gives the names of nodes, joins and `each`es to the numbers that records hold. */
import { type EdgeIr, type RouteIr, routesBehind } from "../../dsl/index.ts";
import { inOrder, type NumberedIr, numbersOf } from "../scheduler/program/numbering.ts";
import { waitsOf } from "../scheduler/program/wait-nodes.ts";

/** The names behind the numbers in a log's flow operations, as `link` numbers them. */
export interface FlowNames {
  readonly nodes: readonly string[];
  /** `[a, b]` */
  readonly joins: readonly string[];
  readonly eaches: readonly string[];
}

/** The names of a graph's nodes, joins and eaches without linking it: a log is read long after its run. */
export function flowNames(ir: NumberedIr): FlowNames {
  const joins: string[] = [];
  const eaches: string[] = [];
  const visitEdges = (edges: readonly EdgeIr[]): void => {
    for (const { from, on, route } of edges) {
      if (from.kind === "join" && on === "done") joins.push(`[${from.nodes.join(", ")}]`);
      visitRoute(route);
    }
  };
  const visitRoute = (route: RouteIr): void => {
    if (route.kind === "choice") for (const branch of route.branches) visitRoute(branch.route);
    if (route.kind === "match") for (const choice of route.cases) visitRoute(choice.route);
    if (route.kind !== "each") return;
    eaches.push(route.each.id);
    visitRoute(route.each.entry);
    visitEdges(route.each.edges);
    for (const behind of routesBehind(route.each)) visitRoute(behind);
  };
  visitEdges(ir.edges);
  const waits = waitsOf(ir).map(({ node }) => node);
  const nodes = [...ir.nodes, ...waits].map(({ name }) => name);
  const { numbers } = ir;
  if (numbers === undefined) return { nodes, joins, eaches };
  return {
    nodes: byNumber(nodes, numbers.nodes),
    joins: byNumber(
      joins,
      numbers.joins.map((one) => one?.join ?? null),
    ),
    eaches: byNumber(eaches, numbers.eaches),
  };
}

function byNumber(names: readonly string[], given: readonly (number | null)[]): readonly string[] {
  return inOrder(names, numbersOf(given, names.length), () => "(gone)");
}
