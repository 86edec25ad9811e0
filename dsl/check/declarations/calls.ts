/** Checks the callee and the arguments of a `run`, `tool`, `reduce` or `graph` node. */

import type { TypeIr } from "../../ir/ir.ts";
import { lowerType } from "../../lower/lower-type.ts";
import type { Scope } from "../../names/scope.ts";
import type { GraphSymbols, NodeSymbol } from "../../names/symbol-tables.ts";
import { graphCalled, graphSymbols } from "../../names/symbols.ts";
import type { GraphDecl, WriteAst } from "../../syntax/tree/ast.ts";
import type { NodeCheck } from "../context.ts";
import { checkArguments } from "../expressions/arguments.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import { checkCallable } from "../expressions/single-names.ts";
import { quoted, type Report } from "../report.ts";
import { checkWrittenValue } from "./fields.ts";

/**
 * Checks the callee of a `run`, `tool`, `reduce` or `graph` node, and the arguments of the call.
 */
export function checkCall({ node, scope, report }: NodeCheck): void {
  if (node.kind !== "call") return;
  checkCallable(node.callee, node.word === "graph" ? "graph" : "function", scope, report);
  const callee = node.callee.parts.map((part) => part.text).join(".");
  const graph = node.word === "graph" ? graphCalled(scope.symbols.file, callee) : undefined;
  if (graph !== undefined) checkSubGraph(node, graph, scope, report);
  else for (const arg of node.args) checkExpression(arg.value, scope, report);
}

/**
 * Checks the call of a graph that is known: its arguments against the parameters, what is written against the results. A
 * graph with one result gives it to the one field that is written; else the names decide.
 */
function checkSubGraph(
  node: NodeSymbol & { readonly kind: "call" },
  graph: GraphDecl,
  scope: Scope,
  report: Report,
): void {
  const { file } = scope.symbols;
  const { params } = graph;
  const called = graph.name.text;
  checkArguments({ name: called, params, span: node.callee.span }, node.args, scope, report);
  const callee = graphSymbols(file, graph);
  const writes = node.writes?.writes ?? [];
  const plain = writes.filter((write) => write.value === undefined);
  for (const write of plain) {
    const result = resultFor(write, { isOnly: writes.length === 1, callee });
    if (result === undefined) report(noResult(write, called, callee));
    else checkResult(write, result, { callee, scope }, report);
  }
}

function resultFor(
  { field }: WriteAst,
  { isOnly, callee }: { readonly isOnly: boolean; readonly callee: GraphSymbols },
): string | undefined {
  const { returns } = callee.graph;
  const [first] = returns;
  if (isOnly && returns.length === 1 && first !== undefined) return first.text;
  return returns.find((name) => name.text === field.text)?.text;
}

function checkResult(
  { field, via }: WriteAst,
  result: string,
  { callee, scope }: { readonly callee: GraphSymbols; readonly scope: Scope },
  report: Report,
): void {
  const value = { kind: "name", ...field } as const;
  const given = typeOf(result, callee);
  if (scope.symbols.fields.has(field.text))
    checkWrittenValue({ field: field.text, value, given, via }, scope, report);
}

function typeOf(result: string, { params, fields }: GraphSymbols): TypeIr | undefined {
  const type = fields.get(result)?.decl.type ?? params.get(result)?.type;
  return type && lowerType(type);
}

function noResult({ field }: WriteAst, called: string, { graph }: GraphSymbols) {
  const results = quoted(graph.returns.map((name) => name.text));
  return {
    code: "M2405" as const,
    message: `\`${called}\` returns no \`${field.text}\``,
    span: field.span,
    hint:
      results === ""
        ? `it returns nothing: write \`returns …\` behind \`graph ${called}\``
        : `it returns ${results}: write \`${field.text} = result.NAME\` for one of another name`,
  };
}
