/** Lists the writers of each field of a graph. */
import type { Span } from "../../diagnostics/source.ts";
import type { EdgeIr, RouteIr } from "../../ir/ir.ts";
import { clausesOf } from "../../lower/clauses.ts";
import type { Clause } from "../../syntax/tree/ast.ts";
import type { GraphCheck } from "../context.ts";
import type { FieldWriter } from "../facts.ts";
import { eachesIn, routesIn, spanOf } from "../flow/routes.ts";

/** Returns the nodes and arrows that change a field, in the order of the text. */
export function writersOf({ ir, symbols }: GraphCheck): readonly FieldWriter[] {
  const reducers = new Map(ir.fields.map((field) => [field.name, field.reducer.name]));
  const onNodes = [...symbols.nodes.values()].flatMap((node) =>
    clausesOf(node, symbols).flatMap((clause) =>
      changesIn(clause).map((change) => ({ ...change, node: node.name.text, onArrow: false })),
    ),
  );
  const onArrows = ir.edges.flatMap(setsOfEdge).map((change) => ({ ...change, onArrow: true }));
  return [...onNodes, ...onArrows]
    .map(({ via, ...change }) => ({
      ...change,
      reducer: via ?? reducers.get(change.field) ?? "replace",
    }))
    .toSorted((a, b) => a.span.start - b.span.start);
}

interface FieldChange {
  readonly field: string;
  readonly span: Span;
  readonly via?: string | undefined;
}

function changesIn(clause: Clause): readonly FieldChange[] {
  switch (clause.kind) {
    case "writes":
      return clause.writes.map(({ field, via }) => ({
        field: field.text,
        span: field.span,
        via: via?.name.text,
      }));
    case "edits":
      return clause.fields.map((field) => ({
        field: field.text,
        span: field.span,
        via: "replace",
      }));
    case "set":
      return clause.assigns.map(({ field, via }) => ({
        field: field.text,
        span: field.span,
        via: via?.name.text,
      }));
    default:
      return [];
  }
}

function setsOfEdge(edge: EdgeIr): readonly (FieldChange & { readonly node: string })[] {
  const nodes = edge.from.kind === "start" ? ["start"] : edge.from.nodes;
  const sets = setsOfRoute(edge.route);
  const inner = eachesIn(edge.route).flatMap((each) => each.edges.flatMap(setsOfEdge));
  return [...nodes.flatMap((node) => sets.map((set) => ({ node, ...set }))), ...inner];
}

function setsOfRoute(route: RouteIr): readonly FieldChange[] {
  const own = (route.sets ?? []).map(({ field, via }) => ({
    field,
    span: spanOf(route),
    via: via?.name,
  }));
  return [...own, ...routesIn(route).flatMap(setsOfRoute)];
}
