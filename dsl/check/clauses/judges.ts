/** Checks conditions in words and approvals: each needs a judge that exists. */

import { flowScope, meaningOf, nodeScope } from "../../names/scope.ts";
import { declaredNodes } from "../../names/symbols.ts";
import type { Clause, GraphItem, Name } from "../../syntax/tree/ast.ts";
import type { GraphCheck } from "../context.ts";
import { reportUnknown } from "../report.ts";
import { allClauses } from "./all-clauses.ts";

/** A condition in words needs somebody who judges it. */
export function checkJudges({ symbols, report }: GraphCheck): void {
  for (const clause of allClauses(symbols)) {
    if (clause.kind !== "ensure" || clause.condition.kind !== "string") continue;
    if (clause.by !== undefined) continue;
    report({
      code: "M4104",
      message: "a condition in words needs a judge",
      span: clause.condition.span,
      hint: 'name a model: `ensure "…" by fast`; or write an expression: `ensure tasks.length > 0 "…"`',
    });
  }
}

/** Reports M3227 where text in quotes behind `ensure` has what would be a hole in a prompt; it only warns of `${HOME}`, which names nothing here. */
export function checkHolesInQuotes({ symbols, report }: GraphCheck): void {
  const nodes = declaredNodes(symbols.graph).map((node) => nodeScope(symbols, node));
  const scopes = [flowScope(symbols), ...nodes];
  const namesSomething = ([, name = ""]: RegExpMatchArray) =>
    scopes.some((scope) => meaningOf(scope, name) !== undefined);
  for (const clause of allClauses(symbols)) {
    if (clause.kind !== "ensure") continue;
    const { condition, hint } = clause;
    for (const text of [condition, hint]) {
      const found = text?.kind === "string" ? [...text.value.matchAll(HOLE)] : [];
      if (text === undefined || found.length === 0) continue;
      report({
        code: "M3227",
        ...(found.some(namesSomething) ? {} : { severity: "warning" as const }),
        message: "text in quotes has no holes: `${…}` stands in it as it is",
        span: text.span,
        hint:
          text === condition
            ? 'say it without values, the judge sees what the node said: `ensure "it names the town" by fast`; or compare them: `ensure a.includes(town)`'
            : "say it without values: the model is told it beside what it said",
      });
    }
  }
}

/** A hole, with the name that it begins with. */
const HOLE = /\$\{\s*([\p{L}\p{N}_$]*)[^}]*\}/gu;

/**
 * Reports M4107 where the judge of an `approve … by` is none of the people of the surroundings, no
 * model and no import. Without a list of people, each name is accepted.
 */
export function checkConsentJudges({ symbols, surroundings, report }: GraphCheck): void {
  const { people } = surroundings;
  if (people === undefined) return;
  const scope = flowScope(symbols);
  for (const { text, span } of namedIn([...symbols.graph.items, ...allClauses(symbols)])) {
    if (people.includes(text) || meaningOf(scope, text) !== undefined) continue;
    const { models, imports } = symbols.file;
    reportUnknown(report, {
      code: "M4107",
      what: "person, model or policy",
      word: text,
      span,
      candidates: [...people, ...models.keys(), ...imports.keys()],
    });
  }
}

function namedIn(parts: readonly (GraphItem | Clause)[]): readonly Name[] {
  return parts.flatMap((part) =>
    part.kind === "approve" && part.consent.by !== undefined ? [part.consent.by] : [],
  );
}
