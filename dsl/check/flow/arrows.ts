/** Checks the names and expressions on the arrows of a graph. */
import { isNodeTarget } from "../../ir/targets-in.ts";
import { flowScope, type Scope } from "../../names/scope.ts";
import type { EachAst, FlowDecl, HopClause, RefAst } from "../../syntax/tree/ast.ts";
import type { GraphCheck } from "../context.ts";
import { checkAssign } from "../declarations/fields.ts";
import { checkArguments } from "../expressions/arguments.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import { checkCondition } from "../expressions/conditions.ts";
import { reportShadowing } from "../expressions/shadowing.ts";
import { checkCount, checkNodeName } from "../expressions/single-names.ts";
import type { HopAt } from "../facts.ts";
import type { Report } from "../report.ts";
import { flowsOf } from "./hops.ts";

/** Checks the names in the arrows: nodes and their arguments, conditions, lists, counts, what is set. */
export function checkArrows({ symbols, hops, report }: GraphCheck): void {
  const scope = flowScope(symbols);
  for (const flow of flowsOf(symbols, hops)) checkSource(flow, scope, report);
  for (const at of hops) {
    checkTarget(at, report);
    for (const clause of at.hop.clauses) checkHopClause(clause, at.scope, report);
  }
}

function checkSource({ source }: FlowDecl, scope: Scope, report: Report): void {
  for (const node of source.nodes) if (!isPseudo(node.text)) checkNodeName(node, scope, report);
  if (source.kind === "join") checkCount(source.need, scope, report);
}

function isPseudo(name: string): boolean {
  return name === "start" || !isNodeTarget(name);
}

function checkTarget({ hop, scope, inner }: HopAt, report: Report): void {
  switch (hop.kind) {
    case "one-of":
    case "all-of":
      for (const ref of hop.refs)
        checkRef(ref, { scope, isPicked: hop.kind === "one-of" && hop.refs.length > 1 }, report);
      return;
    case "choice":
      for (const { condition } of hop.branches)
        if (condition !== undefined) checkCondition(condition, scope, report);
      return;
    case "match":
      checkExpression(hop.subject, scope, report);
      return;
    case "each":
      checkEach(hop, { scope, inner }, report);
      return;
  }
}

function checkRef(
  { node: { text, span }, args }: RefAst,
  { scope, isPicked }: { readonly scope: Scope; readonly isPicked: boolean },
  report: Report,
): void {
  const node = isPseudo(text) ? undefined : scope.symbols.nodes.get(text);
  if (node !== undefined) {
    // Who picks one of several may give what is missing: `checkHandedArguments`.
    const callee = { name: text, params: node.params, span, mayLack: isPicked };
    checkArguments(callee, args, scope, report);
    return;
  }
  for (const arg of args) checkExpression(arg.value, scope, report);
  if (!isPseudo(text)) checkNodeName({ text, span }, scope, report);
}

function checkEach(
  each: EachAst,
  { scope, inner }: Pick<HopAt, "scope" | "inner">,
  report: Report,
): void {
  checkExpression(each.items, scope, report);
  reportShadowing(each.variable, scope, report);
  checkCount(each.parallel, scope, report);
  checkCount(each.need, scope, report);
  if (each.when !== undefined) checkCondition(each.when, inner, report);
}

function checkHopClause(clause: HopClause, scope: Scope, report: Report): void {
  if (clause.kind === "when") checkCondition(clause.condition, scope, report);
  if (clause.kind === "max") checkCount(clause.count, scope, report);
  if (clause.kind === "set")
    for (const assign of clause.assigns) checkAssign(assign, scope, report);
}
