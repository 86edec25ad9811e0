import { ownClauses } from "../lower/clauses.ts";
import { declaredNodes, type GraphSymbols } from "../symbols.ts";
import type { Clause } from "../syntax/ast.ts";

/** Every clause that is written in a graph, each once: those of the nodes, and those of `defaults { }`. */
export function allClauses({ graph, defaults }: GraphSymbols): readonly Clause[] {
  return [...defaults, ...declaredNodes(graph).flatMap(ownClauses)];
}
