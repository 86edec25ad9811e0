/** Lists the reads of fields in a graph, each with its place in the flow. */
import type { Span } from "../../diagnostics/source.ts";
import type { ExprIr, Ir, NodeIr, RouteIr } from "../../ir/ir.ts";
import { routesBehind } from "../../ir/routes-behind.ts";
import { isPart, type TreeObject } from "../../ir/visit-tree.ts";
import { eachPlace, type FlowPlace, joinPlace } from "../flow/places.ts";

/** A field that is read, and where in the run. */
export interface FieldRead {
  readonly field: string;
  readonly span: Span;
  /** The read sees the state before this place, or after it. */
  readonly place: FlowPlace;
  readonly sees: "before" | "after";
}

/** Every field that a prompt, an argument or a condition reads. */
export function readsOf(ir: Ir): readonly FieldRead[] {
  return [...ir.nodes.flatMap(readsOfNode), ...ir.edges.flatMap((edge) => readsOfEdge(edge))];
}

function readsOfNode(node: NodeIr): readonly FieldRead[] {
  const { writes, sets, ensures, stores, every, tell } = node;
  const before = {
    prompt: node.prompt,
    system: node.system,
    ask: node.ask,
    call: node.call,
    context: node.context,
    history: node.history,
  };
  return [
    ...readsIn(before, node.name, "before"),
    ...readsIn({ writes, sets, ensures, stores, every, tell }, node.name, "after"),
  ];
}

function readsOfEdge({ from, route }: Ir["edges"][number]): readonly FieldRead[] {
  const places =
    from.kind === "start" ? ["start"] : from.kind === "any" ? from.nodes : [joinPlace(from.nodes)];
  return places.flatMap((place) => readsOfRoute(route, place));
}

function readsOfRoute(route: RouteIr, place: FlowPlace): readonly FieldRead[] {
  const own = readsIn({ when: route.when, sets: route.sets }, place, "after");
  switch (route.kind) {
    case "to":
    case "pick":
      return [...own, ...readsIn(route.targets, place, "after")];
    case "choice": {
      const conditions = route.branches.map((branch) => branch.when);
      const inner = route.branches.flatMap((branch) => readsOfRoute(branch.route, place));
      return [...own, ...readsIn(conditions, place, "after"), ...inner];
    }
    case "match": {
      const inner = route.cases.flatMap((one) => readsOfRoute(one.route, place));
      return [...own, ...readsIn(route.subject, place, "after"), ...inner];
    }
    case "each": {
      const { each } = route;
      const at = eachPlace(each);
      return [
        ...own,
        ...readsIn({ items: each.items, when: each.when }, place, "after"),
        ...readsOfRoute(each.entry, at),
        ...each.edges.flatMap(readsOfEdge),
        ...routesBehind(each).flatMap((behind) => readsOfRoute(behind, at)),
      ];
    }
  }
}

/** The fields that a part of the IR reads, without those it only asks for whether they are there. */
export function readsIn(
  part: unknown,
  place: FlowPlace,
  sees: FieldRead["sees"],
): readonly FieldRead[] {
  const reads: FieldRead[] = [];
  collect(part, ({ name, span: [start, end] = [0, 0] }) => {
    reads.push({ field: name, span: { start, end }, place, sees });
  });
  return reads;
}

type NameIr = ExprIr & { readonly kind: "name" };

function collect(part: unknown, found: (name: NameIr) => void): void {
  if (Array.isArray(part)) {
    for (const item of part) if (typeof item === "object") collect(item, found);
  } else if (isPart(part)) {
    if (!isExpression(part)) collectMembers(part, found);
    else if (part.kind !== "name") collectMembers(withoutGuarded(part), found);
    else if (part.of === "field") found(part);
  }
}

function collectMembers(part: object, found: (name: NameIr) => void): void {
  for (const key in part) {
    const member = (part as TreeObject)[key];
    if (typeof member === "object" && key !== "span") collect(member, found);
  }
}

function isExpression(part: object): part is ExprIr {
  return "kind" in part;
}

/** `f == null`, `f ?? e` and `f?.x` expect that nothing may be there yet. */
function withoutGuarded(expr: ExprIr): object {
  if (expr.kind === "member" && expr.optional && expr.object.kind === "name") return {};
  if (expr.kind !== "binary") return expr;
  const isNull = (side: ExprIr) => side.kind === "literal" && side.value === null;
  const compares =
    (expr.op === "==" || expr.op === "!=") && (isNull(expr.left) || isNull(expr.right));
  if (compares) return [expr.left, expr.right].filter((side) => side.kind !== "name");
  return expr.op === "??" && expr.left.kind === "name" ? [expr.right] : expr;
}
