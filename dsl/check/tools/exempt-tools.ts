/** Warns of tools that a `context` exempts and that the node does not have. */
import { dottedText } from "../../lower/lower-type.ts";
import type { ExprAst } from "../../syntax/tree/ast.ts";
import type { NodeCheck } from "../context.ts";
import { hintForTool, isOneTool } from "./approved-tools.ts";

/** Warns of a name behind `offload: { except: […] }` that no tool of the node surely has: its results are not shown whole. */
export function checkExemptTools({ clauses, report }: NodeCheck): void {
  const tools = clauses.flatMap((clause) => (clause.kind === "tools" ? clause.tools : []));
  if (!tools.every(isOneTool)) return;
  const names = tools.map(dottedText);
  for (const clause of clauses)
    for (const exempt of clause.kind === "context" ? exemptIn(clause.value) : []) {
      if (exempt.kind !== "string") continue;
      const { value, span } = exempt;
      const group = value.endsWith(".*") ? value.slice(0, -1) : undefined;
      if (names.some((name) => name === value || (group !== undefined && name.startsWith(group))))
        continue;
      report({
        code: "M4112",
        severity: "warning",
        message: `no tool of this node is called \`${value}\``,
        span,
        hint: hintForTool(value, names),
      });
    }
}

function exemptIn(context: ExprAst): readonly ExprAst[] {
  const except = memberOf(memberOf(context, "offload"), "except");
  return except?.kind === "list" ? except.items : [];
}

function memberOf(object: ExprAst | undefined, key: string): ExprAst | undefined {
  if (object?.kind !== "object") return undefined;
  return object.entries.find((entry) => entry.key.text === key)?.value;
}
