/** Checks the names and expressions in each clause of a node and of `defaults { }`. */
import { isMessagesType, printType } from "../../ir/types.ts";
import { lowerDotted, lowerType } from "../../lower/lower-type.ts";
import { flowScope, type Scope } from "../../names/scope.ts";
import type { Clause, ConsentAst, DottedAst, ExprAst, WriteAst } from "../../syntax/tree/ast.ts";
import { isBuiltInController } from "../../vocabulary/controllers.ts";
import type { GraphCheck, NodeCheck } from "../context.ts";
import { checkAssign, checkVia, checkWrittenValue } from "../declarations/fields.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import { checkCondition } from "../expressions/conditions.ts";
import {
  checkCallable,
  checkCount,
  checkMemoryName,
  checkModelName,
  checkNodeName,
  checkReadName,
  checkWrittenName,
} from "../expressions/single-names.ts";
import { type Report, reportUnknown } from "../report.ts";
import { checkContext } from "./context-object.ts";
import { checkControllerOptions } from "./controller-options.ts";

/** Checks the names in the clauses of a node. */
export function checkClausesOfNode({ own, scope, report }: NodeCheck): void {
  for (const clause of own) checkClause(clause, scope, report);
}

/** Checks the names in `defaults { }`. */
export function checkDefaultsClauses({ symbols, report }: GraphCheck): void {
  for (const clause of symbols.defaults) checkClause(clause, flowScope(symbols), report);
}

function checkClause(clause: Clause, scope: Scope, report: Report): void {
  const expressions = (values: readonly (ExprAst | undefined)[]) => {
    for (const value of values) if (value !== undefined) checkExpression(value, scope, report);
  };
  switch (clause.kind) {
    case "model":
      checkModel(clause.value, scope, report);
      return;
    case "system":
    case "prompt":
      expressions([clause.value]);
      return;
    case "context":
      checkContext(clause.value, scope, report);
      return;
    case "ask":
      // A default answer is checked with what the node writes (`default-answers.ts`).
      expressions([clause.value]);
      checkWhom(clause, scope, report);
      return;
    case "tools":
      checkTools(clause.tools, scope, report);
      return;
    case "skills":
      expressions(clause.skills);
      return;
    case "controller":
      checkController(clause.name, scope, report);
      checkControllerOptions(clause.name, clause.args, scope, report);
      expressions(clause.args.map((arg) => arg.value));
      return;
    case "session":
      expressions([clause.value]);
      return;
    case "reads":
      for (const field of clause.fields) checkReadName(field, scope, report);
      return;
    case "edits":
      for (const field of clause.fields) checkWrittenName(field, scope, report);
      return;
    case "writes":
      for (const write of clause.writes) checkWrite(write, scope, report);
      return;
    case "tell":
      for (const node of clause.targets) checkNodeName(node, scope, report);
      expressions([clause.payload]);
      return;
    case "cache":
      expressions(clause.by);
      return;
    case "set":
      for (const assign of clause.assigns) checkAssign(assign, scope, report);
      return;
    case "state":
    case "effects":
    case "limit":
      return;
    case "history":
      checkConversation(clause, scope, report);
      return;
    default:
      checkPolicy(clause, scope, report);
      return;
  }
}

/** The field of a `history` is there, and holds a conversation. */
function checkConversation(
  { field }: Clause & { readonly kind: "history" },
  scope: Scope,
  report: Report,
): void {
  if (field === undefined) return;
  const decl = scope.symbols.fields.get(field.text)?.decl;
  if (decl === undefined) {
    const talks = [...scope.symbols.fields.values()].filter(({ decl: one }) =>
      isMessagesType(lowerType(one.type), scope.symbols.file.types),
    );
    reportUnknown(report, {
      code: "M2103",
      what: "conversation",
      word: field.text,
      span: field.span,
      candidates: [
        "none",
        "own",
        "inbox",
        "thread",
        ...talks.map(({ decl: one }) => one.name.text),
      ],
      otherwise:
        "write `none`, `own`, `inbox`, `thread`, or the name of a field of the type `Messages`",
    });
    return;
  }
  if (isMessagesType(lowerType(decl.type), scope.symbols.file.types)) return;
  report({
    code: "M3721",
    message: `\`${field.text}\` holds no conversation, but \`${printType(lowerType(decl.type))}\``,
    span: field.span,
    hint: `declare it as \`${field.text}: Messages\`, or name it in the prompt`,
    related: [{ span: decl.span, message: "the field" }],
  });
}

type Policy = Extract<
  Clause,
  { kind: "retry" | "ensure" | "every" | "recall" | "store" | "approve" }
>;

function checkPolicy(clause: Policy, scope: Scope, report: Report): void {
  const expression = (value: ExprAst | undefined) => {
    if (value !== undefined) checkExpression(value, scope, report);
  };
  switch (clause.kind) {
    case "retry":
      for (const rule of clause.rules) checkCount(rule.count, scope, report);
      return;
    case "ensure":
      if (clause.condition.kind !== "string") checkCondition(clause.condition, scope, report);
      if (clause.by !== undefined) checkModelName(clause.by, scope, report);
      return;
    case "every":
      expression(clause.interval);
      expression(clause.intervalMax);
      expression(clause.until);
      checkCount(clause.max, scope, report);
      if (clause.by !== undefined) checkModelName(clause.by, scope, report);
      return;
    case "recall":
      checkMemoryName(clause.memory, scope, report);
      checkCount(clause.top, scope, report);
      expression(clause.by);
      return;
    case "store":
      expression(clause.value);
      checkMemoryName(clause.memory, scope, report);
      return;
    case "approve":
      checkConsent(clause.consent, scope, report);
      return;
  }
}

/**
 * Checks the text and the condition of an approval; `checkConsentJudges` checks its judge (`by`).
 */
export function checkConsent(consent: ConsentAst, around: Scope, report: Report): void {
  const scope = { ...around, isConsent: true };
  if (consent.text !== undefined) checkExpression(consent.text, scope, report);
  checkWhom(consent, scope, report);
  if (consent.when !== undefined) checkCondition(consent.when, scope, report);
}

/** Checks who is asked: the persons of `from` and of each `then ask`, and how many of them it needs. */
function checkWhom(
  { from, need, then = [] }: Pick<ConsentAst, "from" | "need" | "then">,
  scope: Scope,
  report: Report,
): void {
  if (from !== undefined) checkExpression(from, scope, report);
  checkCount(need, scope, report);
  for (const next of then) {
    checkExpression(next.to, scope, report);
    checkCount(next.need, scope, report);
  }
}

function checkModel(value: ExprAst, scope: Scope, report: Report): void {
  if (value.kind === "name") checkModelName(value, scope, report);
  else checkExpression(value, scope, report);
}

function checkTools(tools: readonly DottedAst[], scope: Scope, report: Report): void {
  for (const tool of tools) checkCallable(tool, "tool", scope, report);
}

function checkController(name: DottedAst, scope: Scope, report: Report): void {
  if (isBuiltInController(lowerDotted(name).join("."))) return;
  checkCallable(name, "controller", scope, report);
}

function checkWrite(write: WriteAst, scope: Scope, report: Report): void {
  const { field, value, via } = write;
  const given = value && checkExpression(value, scope, report);
  if (!checkWrittenName(field, scope, report, { given, via })) return;
  if (value !== undefined)
    checkWrittenValue({ field: field.text, value, given, via }, scope, report);
  const decl = scope.symbols.fields.get(field.text)?.decl;
  if (decl !== undefined) checkVia(via, lowerType(decl.type), scope, report);
}
