/** Checks several persons behind `from`: each must say yes, so each is there once, and a yes or no is asked. */
import { findByName } from "../../ir/find-by-name.ts";
import { printType } from "../../ir/types.ts";
import { outputTypeOf } from "../../lower/output.ts";
import type { ExprAst } from "../../syntax/tree/ast.ts";
import type { GraphCheck, NodeCheck } from "../context.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import type { Report } from "../report.ts";
import { allClauses } from "./all-clauses.ts";

/** Reports lists with nobody, or with somebody twice, of questions and of approvals. */
export function checkListedPersons({ symbols, report }: GraphCheck): void {
  for (const part of [...symbols.graph.items, ...allClauses(symbols)]) {
    const asking = part.kind === "ask" ? part : part.kind === "approve" ? part.consent : undefined;
    const whom = (asking?.then ?? []).map(({ to }) => to);
    if (part.kind === "ask" && part.from !== undefined) whom.push(part.from);
    for (const persons of whom) if (persons.kind === "list") checkList(persons, report);
  }
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
    hint: "have it write a boolean, the yes of all of them, or ask one person",
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
