/** Lists the clauses of a graph. */
import { ownClauses } from "../../lower/clauses.ts";
import type { GraphSymbols } from "../../names/symbol-tables.ts";
import { declaredNodes } from "../../names/symbols.ts";
import type { Clause } from "../../syntax/tree/ast.ts";

/** Every clause that is written in a graph, each once: those of the nodes, and those of `defaults { }`. */
export function allClauses({ graph, defaults }: GraphSymbols): readonly Clause[] {
  return [...defaults, ...declaredNodes(graph).flatMap(ownClauses)];
}
