/** Reports the constructs that check and do not run yet, as M4900. */
import type { Finding } from "../diagnostics/diagnostic.ts";
import type { Span } from "../diagnostics/source.ts";
import { ownClauses } from "../lower/clauses.ts";
import { lowerDotted } from "../lower/lower-type.ts";
import { isOffered } from "../names/scope.ts";
import type { FileSymbols, GraphSymbols } from "../names/symbol-tables.ts";
import { declaredNodes, graphCalled } from "../names/symbols.ts";
import type { Clause, DottedAst, GraphDecl } from "../syntax/tree/ast.ts";

/**
 * Returns the findings about all of a graph that is valid and does not run yet. In a test, where
 * nodes are scripted, most of it runs.
 */
export function notYetInGraph(symbols: GraphSymbols): readonly Finding[] {
  const { graph, defaults } = symbols;
  const nodes = declaredNodes(graph);
  const own = nodes.flatMap((node) =>
    ownClauses(node).map((clause) => ({ clause, by: node.word })),
  );
  return [...defaults.map((clause) => ({ clause, by: "agent" })), ...own].flatMap(
    ({ clause, by }) => inClause(clause, by, symbols),
  );
}

function notYet(what: string, span: Span): Finding {
  return {
    code: "M4900",
    message: `${what} are not built yet`,
    span,
    hint: "the program is valid, but the engine can't run it yet; remove it to run the graph",
  };
}

/** `by`: the kind of the node. */
function inClause(clause: Clause, by: string, symbols: GraphSymbols): readonly Finding[] {
  if (clause.kind !== "tools") return [];
  return clause.tools.flatMap((tool) => inTool(tool, by, symbols));
}

/** A graph or a node among the tools of a node. */
function inTool(tool: DottedAst, by: string, { file, nodes }: GraphSymbols): readonly Finding[] {
  const name = lowerDotted(tool).join(".");
  const graph = graphCalled(file, name);
  if (graph !== undefined) return inGraphTool(graph, tool.span, { by, file });
  const isFunction = file.imports.has(name) || isOffered(file.scope, name);
  return nodes.has(name) && !isFunction ? [notYet("nodes as tools", tool.span)] : [];
}

/** Graphs are tools of nodes that ask a model of ours. What outlives a run, a graph gives back only to a node that calls it. */
function inGraphTool(
  graph: GraphDecl,
  span: Span,
  { by, file }: { readonly by: string; readonly file: FileSymbols },
): readonly Finding[] {
  if (!file.graphs.has(graph.name.text)) return [notYet("graphs made of plans as tools", span)];
  if (by === "operator") return [notYet("graphs as tools of an operator", span)];
  return outlivesRun(graph, file)
    ? [notYet("graphs with fields of a thread or a user, or that call one, as tools", span)]
    : [];
}

/** Returns whether a graph, or one that its nodes call, has fields of a thread or a user. */
function outlivesRun(
  graph: GraphDecl,
  file: FileSymbols,
  seen: Set<GraphDecl> = new Set(),
): boolean {
  if (seen.has(graph)) return false;
  seen.add(graph);
  const imported = file.linked.graphs.get(graph.name.text)?.graph.ir;
  if (imported !== undefined)
    return [imported, ...(imported.graphs ?? [])].some(({ fields }) =>
      fields.some(({ scope }) => scope === "thread" || scope === "user"),
    );
  if (graph.items.some((item) => item.kind === "state" && item.scope !== "run")) return true;
  const called = declaredNodes(graph).flatMap((node) =>
    node.kind === "call" && node.word === "graph"
      ? (graphCalled(file, lowerDotted(node.callee).join(".")) ?? [])
      : [],
  );
  return called.some((one) => outlivesRun(one, file, seen));
}
