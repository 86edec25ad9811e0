/** Checks the callee and the arguments of a `run`, `tool`, `reduce` or `graph` node. */
import { graphCalled } from "../../names/symbols.ts";
import type { NodeCheck } from "../context.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import { checkCallable } from "../expressions/single-names.ts";
import { checkSubGraph } from "./sub-graphs.ts";

/** What a `run`, `tool`, `reduce` or `graph` node calls, and with which arguments. */
export function checkCall({ node, scope, report }: NodeCheck): void {
  if (node.kind !== "call") return;
  checkCallable(node.callee, node.word === "graph" ? "graph" : "function", scope, report);
  const callee = node.callee.parts.map((part) => part.text).join(".");
  const graph = node.word === "graph" ? graphCalled(scope.symbols.file, callee) : undefined;
  if (graph !== undefined) checkSubGraph(node, graph, scope, report);
  else for (const arg of node.args) checkExpression(arg.value, scope, report);
}
