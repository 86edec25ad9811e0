/** Finds limits of `human` nodes that nothing can reach. */
import type { Clause, QuantityAst } from "../../syntax/tree/ast.ts";
import { limitFacts } from "../../vocabulary/limits.ts";
import type { NodeCheck } from "../context.ts";

/** Limits of a `human` node that nothing reaches: no time passes while a person is asked, and a question uses no model and no tool. */
export function checkHumanLimits({ own, clauses, report }: NodeCheck): void {
  const isJudged = clauses.some(isJudgedByModel);
  for (const clause of own) {
    if (clause.kind !== "limit") continue;
    const unreached = clause.quantities.find((quantity) => isUnreached(quantity, isJudged));
    if (unreached === undefined) continue;
    const { message, hint } = wordsOf(unreached);
    report({ code: "M4110", message, span: unreached.span, hint });
  }
}

/** The model that judges what a person said is asked within the node, and paid for by it. */
function isJudgedByModel(clause: Clause): boolean {
  // An `every … until "…"` without `by` is judged by a person.
  return (clause.kind === "ensure" || clause.kind === "every") && clause.by !== undefined;
}

function isUnreached(quantity: QuantityAst, isJudged: boolean): boolean {
  switch (quantity.kind) {
    case "duration":
      return true;
    case "money":
      return !isJudged;
    case "amount":
      return isUnreachedUnit(quantity.unit.text, isJudged);
  }
}

function isUnreachedUnit(unit: string, isJudged: boolean): boolean {
  // An unknown unit is M4101.
  const { ofQuestions = "always" } = limitFacts(unit) ?? {};
  return ofQuestions === "never" || (ofQuestions === "if judged" && !isJudged);
}

function wordsOf(quantity: QuantityAst): { readonly message: string; readonly hint: string } {
  switch (quantity.kind) {
    case "duration":
      return {
        message: "a time limit does not end a question",
        hint: "write `ask … within 2h`, and an arrow `on deny` for when nobody has answered by then",
      };
    case "money":
      return unspent("money");
    case "amount":
      return unspent(`\`${quantity.unit.text}\``);
  }
}

function unspent(what: string) {
  return {
    message: `a question spends no ${what}: this limit is never reached`,
    hint: "remove it; `ask … within 2h` ends a question that nobody answers, and a `limit` of the graph is for the whole run",
  };
}
