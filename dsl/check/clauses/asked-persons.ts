/**
 * Checks several persons behind `from`: each must say yes, or as many as `need` says, so each is there once, and a yes or no is
 * asked.
 */
import { findByName } from "../../ir/find-by-name.ts";
import { printType } from "../../ir/types.ts";
import { outputTypeOf } from "../../lower/output.ts";
import type { CountAst, ExprAst } from "../../syntax/tree/ast.ts";
import type { GraphCheck, NodeCheck } from "../context.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import type { Report } from "../report.ts";
import { allClauses } from "./all-clauses.ts";

/** Reports lists with nobody, or with somebody twice, of questions and of approvals. */
export function checkListedPersons({ symbols, report }: GraphCheck): void {
  for (const part of [...symbols.graph.items, ...allClauses(symbols)]) {
    const asking = part.kind === "ask" ? part : part.kind === "approve" ? part.consent : undefined;
    const first = asking?.from === undefined ? [] : [{ to: asking.from, need: asking.need }];
    for (const { to, need } of [...first, ...(asking?.then ?? [])]) {
      if (to.kind === "list") checkList(to, report);
      if (need !== undefined) checkNeed(need, to, report);
    }
  }
}

/** Reports a number of persons that a list can't have, or that of one person says nothing. */
function checkNeed(need: CountAst, persons: ExprAst, report: Report): void {
  const { kind, span } = need;
  const isOne = persons.kind === "string" || persons.kind === "template";
  const there = persons.kind === "list" ? persons.items.length : Number.POSITIVE_INFINITY;
  const isCount = kind !== "number" || (Number.isInteger(need.value) && need.value >= 1);
  if (!isOne && isCount && (kind !== "number" || need.value <= there)) return;
  const count = kind === "number" ? need.value : need.name.text;
  report({
    code: "M4992",
    message: isOne
      ? "one person is asked, and `need` is of several"
      : isCount
        ? `${there} ${there === 1 ? "person is" : "persons are"} asked, and ${count} must say yes`
        : `${count} persons can't say yes`,
    span,
    hint: isOne
      ? 'name the persons as a list: `from ["ann", "bob"] need 1`'
      : "write a whole number from 1 to the number of the persons",
  });
}

/** `ask e from ["ann", "bob"] within 2h then ask ["lead", "cfo"]`: what several persons agree on is a yes. */
export function checkAskedPersons(check: NodeCheck): void {
  for (const clause of check.clauses) {
    if (clause.kind !== "ask") continue;
    const whom = [clause.from, ...(clause.then ?? []).map(({ to }) => to)];
    for (const persons of whom) if (persons !== undefined) checkPersons(persons, check);
  }
}

function checkPersons(persons: ExprAst, check: NodeCheck): void {
  const { node, ir, scope, symbols, report } = check;
  // Another check reports the errors of the expression itself.
  const type = checkExpression(persons, scope, () => {});
  if (type?.kind !== "array" && persons.kind !== "list") return;
  const asking = findByName(ir.nodes, node.name.text);
  const written = asking && outputTypeOf(asking, ir.fields, symbols.file.types);
  if (written?.kind === "named" && written.name === "boolean") return;
  const writes = written === undefined ? "nothing" : `\`${printType(written)}\``;
  report({
    code: "M4990",
    message: `several persons are asked, and \`${node.name.text}\` writes ${writes}`,
    span: persons.span,
    hint: "have it write a boolean, their yes, or ask one person",
  });
}

function checkList({ items, span }: ExprAst & { readonly kind: "list" }, report: Report): void {
  const names = items.flatMap((item) => (item.kind === "string" ? [item.value] : []));
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (items.length > 0 && twice === undefined) return;
  report({
    code: "M4991",
    message: twice === undefined ? "nobody is asked" : `\`${twice}\` is asked twice`,
    span,
    hint: "name each person once, and at least one: each of them must say yes",
  });
}
