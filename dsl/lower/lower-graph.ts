/** Lowers a checked graph to its IR. */

import type { Source } from "../diagnostics/source.ts";
import { defined } from "../ir/defined.ts";
import { hashIr } from "../ir/hash.ts";
import {
  type EdgeIr,
  type FieldIr,
  IR_VERSION,
  type Ir,
  type NodeIr,
  type RouteIr,
} from "../ir/ir.ts";
import { routesBehind } from "../ir/routes-behind.ts";
import { isNodeTarget } from "../ir/targets-in.ts";
import { flowScope, nodeScope, type Scope } from "../names/scope.ts";
import type { FieldSymbol, GraphSymbols } from "../names/symbol-tables.ts";
import { declaredNodes } from "../names/symbols.ts";
import type { GraphDecl } from "../syntax/tree/ast.ts";
import { lowerDeclarations } from "./lower-declarations.ts";
import { lowerExpression, lowerVia, spanOf } from "./lower-expression.ts";
import { lowerFlows } from "./lower-flow.ts";
import { lowerConsent, lowerLimit, lowerNode, lowerParam } from "./lower-node.ts";
import { lowerType } from "./lower-type.ts";
import { outputOf } from "./output.ts";
import type { GraphPart } from "./references.ts";

/** A checked graph as plain JSON, complete in itself. */
export function lowerGraph(symbols: GraphSymbols, source: Source): Ir {
  const part = lowerBody(symbols);
  const ir: Omit<Ir, "hash"> = {
    ...part,
    ...lowerDeclarations(symbols, part),
    irVersion: IR_VERSION,
    source: { file: source.file, text: source.text },
  };
  return { ...ir, hash: hashIr(ir) };
}

function lowerBody(symbols: GraphSymbols): GraphPart {
  const { graph } = symbols;
  const scope = flowScope(symbols);
  const fields = [...symbols.fields.values()].map((field) => lowerField(field, symbols));
  const edges = lowerFlows(
    graph.items.filter((item) => item.kind === "flow"),
    symbols,
  );
  const limit = graph.items.find((item) => item.kind === "limit");
  return defined({
    name: graph.name.text,
    description: graph.description?.value,
    params: graph.params.map((param) => lowerParam(param, scope)),
    returns: graph.returns.map((name) => name.text),
    fields,
    nodes: lowerNodes(symbols, fields, edges),
    edges,
    limit: limit && lowerLimit(limit),
    ...lowerStops(graph, scope),
    span: spanOf(graph.span),
  });
}

function lowerField(field: FieldSymbol, symbols: GraphSymbols): FieldIr {
  const { decl, owner } = field;
  const node = field.scope === "agent" ? symbols.nodes.get(owner ?? "") : undefined;
  const scope = node === undefined ? flowScope(symbols) : nodeScope(symbols, node);
  return defined({
    name: decl.name.text,
    scope: field.scope,
    owner,
    optional: decl.optional,
    type: lowerType(decl.type),
    default: decl.value && lowerExpression(decl.value, scope),
    reducer: lowerVia(decl.via, scope),
    span: spanOf(decl.span),
  });
}

function lowerNodes(
  symbols: GraphSymbols,
  fields: readonly FieldIr[],
  edges: readonly EdgeIr[],
): readonly NodeIr[] {
  const scopes = eachOfNodes(edges);
  return declaredNodes(symbols.graph).map((declared) => {
    const node = lowerNode(declared, symbols);
    const each = scopes.get(node.name);
    return defined({ ...node, each, output: outputOf(node, fields, symbols.file.types)?.schema });
  });
}

/** The statements beside nodes and arrows. */
function lowerStops(graph: GraphDecl, scope: Scope): Pick<Ir, "approvals" | "breaks" | "endWhen"> {
  const approvals = graph.items.filter((item) => item.kind === "approve");
  const breaks = graph.items.filter((item) => item.kind === "break");
  const ends = graph.items.filter((item) => item.kind === "end-when");
  return {
    approvals: approvals.map(({ when, nodes, consent }) => ({
      when,
      nodes: nodes.map((node) => node.text),
      consent: lowerConsent(consent, scope),
    })),
    breaks: breaks.map(({ when, nodes, condition }) =>
      defined({
        when,
        nodes: nodes.map((node) => node.text),
        condition: condition && lowerExpression(condition, scope),
      }),
    ),
    endWhen: ends.map((end) => lowerExpression(end.condition, scope)),
  };
}

/** The `each` that each node is a target in; nodes at the top level are not listed. */
function eachOfNodes(edges: readonly EdgeIr[]): ReadonlyMap<string, string> {
  const scopes = new Map<string, string>();
  const enterRoute = (route: RouteIr, each: string | undefined): void => {
    switch (route.kind) {
      case "to":
      case "pick":
        for (const { node } of route.targets)
          if (each !== undefined && isNodeTarget(node) && !scopes.has(node)) scopes.set(node, each);
        return;
      case "choice":
        for (const branch of route.branches) enterRoute(branch.route, each);
        return;
      case "match":
        for (const one of route.cases) enterRoute(one.route, each);
        return;
      case "each":
        enterRoute(route.each.entry, route.each.id);
        for (const edge of route.each.edges) enterRoute(edge.route, route.each.id);
        for (const behind of routesBehind(route.each)) enterRoute(behind, each);
    }
  };
  for (const edge of edges) enterRoute(edge.route, undefined);
  return scopes;
}
