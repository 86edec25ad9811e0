/** Members of what TypeScript offers: `helpers.rank` where a group `helpers` is known by what is in it. */
import { meaningOf, type Scope } from "../../names/scope.ts";
import type { ExprAst } from "../../syntax/tree/ast.ts";
import { type Report, reportUnknown } from "../report.ts";

/** Reports a member that its group has not. A value that nobody looked into may have any. */
export function checkScopeMember(
  { object, name }: ExprAst & { readonly kind: "member" },
  what: "function" | "member",
  scope: Scope,
  report: Report,
): void {
  const { scope: offered = [], imports } = scope.symbols.file;
  if (object.kind !== "name" || offered.includes(object.text) || imports.has(object.text)) return;
  const group = `${object.text}.`;
  const members = offered.filter((one) => one.startsWith(group));
  if (members.length === 0 || meaningOf(scope, object.text)?.of !== "scope") return;
  const word = `${group}${name.text}`;
  if (members.some((one) => one === word || one.startsWith(`${word}.`))) return;
  reportUnknown(report, {
    code: what === "function" ? "M2106" : "M2110",
    what,
    word,
    span: name.span,
    candidates: members,
    otherwise: `\`${object.text}\` has ${members
      .slice(0, 8)
      .map((one) => `\`${one.slice(group.length)}\``)
      .join(", ")}`,
  });
}
