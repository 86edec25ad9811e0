/** Finds nodes and graphs among `tools` that no model can call. */
import { ownClauses } from "../../lower/clauses.ts";
import { dottedText, lowerDotted } from "../../lower/lower-type.ts";
import { isOffered } from "../../names/scope.ts";
import type { FileSymbols, GraphSymbols } from "../../names/symbol-tables.ts";
import { declaredNodes, graphCalled } from "../../names/symbols.ts";
import type { Clause, DottedAst, GraphDecl } from "../../syntax/tree/ast.ts";
import type { GraphCheck } from "../context.ts";

/** The reason why something is no tool, and what to write instead. */
interface Obstacle {
  readonly message: string;
  readonly hint: string;
}

/** Reports each node among the tools of a graph's nodes and `defaults`, and each graph that can't be one. */
export function checkUsableTools({ symbols, report }: GraphCheck): void {
  const own = declaredNodes(symbols.graph).flatMap((node) =>
    ownClauses(node).map((clause) => ({ clause, kind: node.word as string })),
  );
  const inherited = symbols.defaults.map((clause) => ({ clause, kind: "agent" }));
  for (const { clause, kind } of [...inherited, ...own])
    for (const tool of toolsIn(clause)) {
      const obstacle = obstacleOf(tool, kind, symbols);
      if (obstacle !== undefined) report({ code: "M2117", ...obstacle, span: tool.span });
    }
}

function toolsIn(clause: Clause): readonly DottedAst[] {
  return clause.kind === "tools" ? clause.tools : [];
}

function obstacleOf(
  tool: DottedAst,
  kind: string,
  { file, nodes }: GraphSymbols,
): Obstacle | undefined {
  const name = dottedText(tool);
  const graph = graphCalled(file, name);
  if (graph !== undefined) return obstacleOfGraph(graph, kind, file);
  if (!nodes.has(name) || file.imports.has(name) || isOffered(file.scope, name)) return undefined;
  return {
    message: `\`${name}\` is a node, and a node is no tool`,
    hint: `give it a graph of its own, \`graph Ask(question: string) returns answer { … }\`, and list that graph; or go to it by an arrow`,
  };
}

function obstacleOfGraph(graph: GraphDecl, kind: string, file: FileSymbols): Obstacle | undefined {
  const name = graph.name.text;
  if (!file.graphs.has(name))
    return {
      message: `\`${name}\` runs a plan that a field has, and is no tool`,
      hint: `list a graph that has the plan as its parameter and runs it: \`graph RunPlan(plan: Plan) returns results { state { results: Json } graph work = ${name}(plan) writes results start -> work -> end }\``,
    };
  if (kind === "operator")
    return {
      message: `\`${name}\` is a graph, and the tools of an operator are those of its agent`,
      hint: `go to the graph by an arrow or a handoff, or give it to the agent by \`madrigal mcp FILE\` in its own settings`,
    };
  if (!outlivesRun(graph, file)) return undefined;
  return {
    message: `\`${name}\` has fields of a thread or a user, or calls a graph that has some, and is no tool`,
    hint: `call it by a node, \`graph run = ${name}(…)\`, which commits them; or keep in a \`memory\` what outlives the run`,
  };
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
