/** Reports the constructs that check and do not run yet, as M4900. */
import type { Finding } from "../diagnostics/diagnostic.ts";
import type { Span } from "../diagnostics/source.ts";
import { ownClauses } from "../lower/clauses.ts";
import { lowerDotted } from "../lower/lower-type.ts";
import { isOffered } from "../names/scope.ts";
import type { GraphSymbols } from "../names/symbol-tables.ts";
import { declaredNodes, graphCalled } from "../names/symbols.ts";
import type { Clause, DottedAst, GraphItem } from "../syntax/tree/ast.ts";
import { controllersNotYet } from "./not-yet-controllers.ts";

/** Clauses that check and do nothing in a run yet. Whoever builds one takes it out. */
const UNBUILT_CLAUSES: readonly Clause["kind"][] = ["skills", "recall", "store"];

/**
 * Returns the findings about all of a graph that is valid and does not run yet. In a test, where
 * nodes are scripted, most of it runs.
 */
export function notYetInGraph(symbols: GraphSymbols): readonly Finding[] {
  const { graph, file, defaults } = symbols;
  const nodes = declaredNodes(graph);
  return [
    ...graph.items.flatMap(inStatement),
    ...[...defaults, ...nodes.flatMap(ownClauses)].flatMap((clause) => inClause(clause, symbols)),
    ...nodes.flatMap((node) => controllersNotYet(node, file)),
  ];
}

function notYet(what: string, span: Span): Finding {
  return {
    code: "M4900",
    message: `${what} are not built yet`,
    span,
    hint: "the program is valid, but the engine can't run it yet; remove it to run the graph",
  };
}

function inStatement(item: GraphItem): readonly Finding[] {
  return item.kind === "memory" ? [notYet("`memory` statements", item.span)] : [];
}

function inClause(clause: Clause, symbols: GraphSymbols): readonly Finding[] {
  if (clause.kind === "tools") return clause.tools.flatMap((tool) => inTool(tool, symbols));
  if (!UNBUILT_CLAUSES.includes(clause.kind)) return [];
  return [notYet(`\`${clause.kind}\` clauses`, clause.span)];
}

/** A graph or a node among the tools of an agent. */
function inTool(tool: DottedAst, { file, nodes }: GraphSymbols): readonly Finding[] {
  const name = lowerDotted(tool).join(".");
  if (graphCalled(file, name) !== undefined) return [notYet("graphs as tools", tool.span)];
  const isFunction = file.imports.has(name) || isOffered(file.scope, name);
  return nodes.has(name) && !isFunction ? [notYet("nodes as tools", tool.span)] : [];
}
