/** Checks that the skills which nodes name by a plain text are there, and the servers that they are of. */
import type { McpIr } from "../../ir/ir.ts";
import { nearest } from "../../names/nearest.ts";
import type { ExprAst } from "../../syntax/tree/ast.ts";
import { serverSkillName } from "../../vocabulary/skill-names.ts";
import type { NodeCheck } from "../context.ts";
import type { SkillFault } from "../surroundings.ts";

/** Warns of skills that can't be used: a run may find them elsewhere than a check. */
export function checkSkills({ clauses, ir, scope, surroundings, report }: NodeCheck): void {
  const named = clauses.flatMap((clause) =>
    clause.kind === "skills" ? clause.skills.flatMap(plainTexts) : [],
  );
  const declared = [...scope.symbols.file.mcps.keys()];
  for (const { value, span } of named) {
    const of = serverSkillName(value);
    const fault =
      of === undefined
        ? surroundings.skills?.(value, ir.source?.file ?? "")
        : serverFault(of.server, declared, ir.mcps);
    if (fault !== undefined) report({ code: "M4970", severity: "warning", span, ...fault });
  }
}

/** Returns what a check sees: the skills of a server are asked for by a run alone. */
function serverFault(
  server: string,
  declared: readonly string[],
  mcps: readonly McpIr[],
): SkillFault | undefined {
  if (mcps.some(({ name, protocol }) => name === server && protocol !== undefined))
    return { message: `\`${server}\` is an API, which has no skills` };
  if (declared.includes(server)) return undefined;
  const meant = nearest(server, declared);
  return {
    message: `no server \`${server}\` is declared, of which the skill would be`,
    hint:
      meant === undefined ? `declare it: \`mcp ${server} = "…"\`` : `did you mean \`${meant}\`?`,
  };
}

type TextAst = Extract<ExprAst, { readonly kind: "string" }>;

function plainTexts(expression: ExprAst): readonly TextAst[] {
  if (expression.kind === "string") return [expression];
  return expression.kind === "list" ? expression.items.flatMap(plainTexts) : [];
}
