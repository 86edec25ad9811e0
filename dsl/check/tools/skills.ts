/** Checks that the skills which nodes name by a plain text are there. */
import type { ExprAst } from "../../syntax/tree/ast.ts";
import type { NodeCheck } from "../context.ts";

/** Warns of skills that can't be used: a run may find them elsewhere than a check. */
export function checkSkills({ clauses, ir, surroundings, report }: NodeCheck): void {
  const named = clauses.flatMap((clause) =>
    clause.kind === "skills" ? clause.skills.flatMap(plainTexts) : [],
  );
  for (const { value, span } of named) {
    const fault = surroundings.skills?.(value, ir.source?.file ?? "");
    if (fault !== undefined) report({ code: "M4970", severity: "warning", span, ...fault });
  }
}

type TextAst = Extract<ExprAst, { readonly kind: "string" }>;

function plainTexts(expression: ExprAst): readonly TextAst[] {
  if (expression.kind === "string") return [expression];
  return expression.kind === "list" ? expression.items.flatMap(plainTexts) : [];
}
