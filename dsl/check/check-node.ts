import { CLAUSES_OF_KIND, clausesOf, ownClauses, REPEATABLE } from "../lower/clauses.ts";
import { flowScope, nodeScope, type Scope } from "../scope.ts";
import { declaredNodes, type NodeSymbol } from "../symbols.ts";
import type { Clause } from "../syntax/ast.ts";
import { checkArguments } from "./arguments.ts";
import { checkClause } from "./check-clauses.ts";
import { checkExpression } from "./check-expression.ts";
import { checkType } from "./check-types.ts";
import type { GraphCheck, Report } from "./context.ts";
import { checkDefault } from "./fields.ts";
import { checkCallable } from "./names.ts";
import { reportShadowing } from "./shadowing.ts";

/** Checks every node, and `defaults { }`. */
export function checkNodes(check: GraphCheck): void {
  const { symbols, report } = check;
  for (const node of declaredNodes(symbols.graph)) checkNode(node, check);
  const { defaults } = symbols;
  reportRepeated(defaults, "`defaults`", report);
  for (const clause of defaults) checkClause(clause, flowScope(symbols), report);
}

function checkNode(node: NodeSymbol, check: GraphCheck): void {
  const { symbols, report } = check;
  const scope = nodeScope(symbols, node);
  if (node.name.text === "start" || node.name.text === "end")
    report({
      code: "M3203",
      message: `\`${node.name.text}\` is where every graph ${node.name.text}s, and can't be a node`,
      span: node.name.span,
      hint: "choose another name",
    });
  for (const param of node.params) {
    checkType(param.type, symbols.file, report);
    checkDefault(param.value, param.type, flowScope(symbols), report);
    reportShadowing(param.name, flowScope(symbols), report);
  }
  if (node.kind === "call") checkCall(node, scope, report);
  const own = ownClauses(node);
  for (const clause of own) checkClause(clause, scope, report);
  reportRepeated(own, `\`${node.name.text}\``, report);
  reportMeaningless(node, own, report);
  reportMissing(node, clausesOf(node, symbols), report);
}

function checkCall(
  node: NodeSymbol & { readonly kind: "call" },
  scope: Scope,
  report: Report,
): void {
  checkCallable(node.callee, node.word === "graph" ? "graph" : "function", scope, report);
  const callee = node.callee.parts.map((part) => part.text).join(".");
  const graph = scope.symbols.file.graphs.get(callee);
  if (graph !== undefined && node.word === "graph")
    checkArguments(
      { name: callee, params: graph.params, span: node.callee.span },
      node.args,
      scope,
      report,
    );
  else for (const arg of node.args) checkExpression(arg.value, scope, report);
}

function reportRepeated(clauses: readonly Clause[], where: string, report: Report): void {
  const seen = new Map<string, Clause>();
  for (const clause of clauses) {
    const before = seen.get(clause.kind);
    seen.set(clause.kind, clause);
    if (before === undefined || REPEATABLE.includes(clause.kind)) continue;
    report({
      code: "M4003",
      message: `${where} already has a \`${clause.kind}\``,
      span: clause.span,
      hint: "make one of the two",
      related: [{ span: before.span, message: "the first one" }],
    });
  }
}

function reportMeaningless(node: NodeSymbol, own: readonly Clause[], report: Report): void {
  for (const clause of own) {
    if (CLAUSES_OF_KIND[node.word].includes(clause.kind)) continue;
    report({
      code: "M4004",
      message: `\`${clause.kind}\` means nothing in ${article(node.word)} \`${node.word}\` node`,
      span: clause.span,
      hint: `it belongs in ${kindsWith(clause.kind)}`,
    });
  }
}

function kindsWith(kind: Clause["kind"]): string {
  const kinds = ["agent", "operator", "router", "human"] as const;
  const fitting = kinds.filter((word) => CLAUSES_OF_KIND[word].includes(kind));
  return fitting.map((word) => `${article(word)} \`${word}\``).join(" or ");
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? "an" : "a";
}

/** What a node can't do without. */
function reportMissing(node: NodeSymbol, clauses: readonly Clause[], report: Report): void {
  const has = (kind: Clause["kind"]) => clauses.some((clause) => clause.kind === kind);
  const { span, text } = node.name;
  const isAgent = node.word === "agent" || node.word === "router";
  if (isAgent && !has("model"))
    report({
      code: "M4001",
      message: `\`${text}\` has no model`,
      span,
      hint: "write `model NAME` in it, or once in `defaults { }`",
    });
  const isTold = has("prompt") || has("system") || has("reads");
  const hearsOthers = clauses.some(
    (clause) =>
      clause.kind === "history" && (clause.source === "inbox" || clause.source === "thread"),
  );
  const missing =
    isAgent && !isTold && !hearsOthers
      ? "prompt"
      : node.word === "human" && !has("ask")
        ? "ask"
        : node.word === "operator" && !has("controller")
          ? "controller"
          : undefined;
  if (missing !== undefined)
    report({
      code: "M4002",
      message: `\`${text}\` has no \`${missing}\``,
      span,
      hint: WHAT_TO_SAY[missing],
    });
}

const WHAT_TO_SAY = {
  prompt: "say in a `prompt` what it is to do",
  ask: "write its question behind `ask`",
  controller: "write `controller claude_code`, for example",
};
