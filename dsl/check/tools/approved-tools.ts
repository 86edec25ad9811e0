/** Warns of approvals of tools that the node does not have. */
import { dottedText } from "../../lower/lower-type.ts";
import { nearest } from "../../names/nearest.ts";
import type { DottedAst } from "../../syntax/tree/ast.ts";
import type { NodeCheck } from "../context.ts";

/** Warns of an approval of a tool that the node surely does not have: nobody would ever be asked. */
export function checkApprovedTools({ clauses, report }: NodeCheck): void {
  const tools = clauses.flatMap((clause) => (clause.kind === "tools" ? clause.tools : []));
  if (!tools.every(isOneTool)) return;
  const names = tools.map(dottedText);
  for (const clause of clauses)
    for (const approved of clause.kind === "approve" ? clause.tools : []) {
      const name = dottedText(approved);
      if (approved.star || names.some((tool) => tool === name || tool.endsWith(`.${name}`)))
        continue;
      report({
        code: "M4108",
        severity: "warning",
        message: `nothing is asked: no tool of this node is called \`${name}\``,
        span: approved.span,
        hint: hintForTool(name, names),
      });
    }
}

/** `docs` and `docs.*` stand for a group, of which nobody knows what is in it. */
export function isOneTool({ parts, star }: DottedAst): boolean {
  return parts.length > 1 && !star;
}

/** Returns the tool that was probably meant, else those that there are. */
export function hintForTool(name: string, tools: readonly string[]): string {
  const short = tools.map((tool) => tool.split(".").at(-1) ?? tool);
  const near = nearest(name, [...tools, ...short]);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  return tools.length === 0
    ? "it has no tools"
    : `it has ${tools.map((tool) => `\`${tool}\``).join(", ")}`;
}
