/** Reports conditions in words that have no judge. */
import type { GraphCheck } from "../context.ts";
import { allClauses } from "./all-clauses.ts";

/** A condition in words needs somebody who judges it. */
export function checkJudges({ symbols, report }: GraphCheck): void {
  for (const clause of allClauses(symbols)) {
    if (clause.kind !== "ensure" || clause.condition.kind !== "string") continue;
    if (clause.by !== undefined) continue;
    report({
      code: "M4104",
      message: "a condition in words needs somebody to judge it",
      span: clause.condition.span,
      hint: 'name a model: `ensure "…" by fast`; or write an expression: `ensure tasks.length > 0 "…"`',
    });
  }
}
