/** Checks the declarations of a file outside its graphs. */
import { serverCall } from "../../lower/server-call.ts";
import { flowScope, type Scope } from "../../names/scope.ts";
import { configEntries, graphSymbols, NO_GRAPH } from "../../names/symbols.ts";
import type { ExprAst, McpDecl, ModelDecl } from "../../syntax/tree/ast.ts";
import type { FileCheck } from "../context.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import { checkType } from "../expressions/check-types.ts";
import type { Report } from "../report.ts";
import { checkMemory } from "./graph-header.ts";

/** Checks what a file declares outside its graphs: the types, and the names in models, settings and servers. */
export function checkDeclarations({ ast, file, report }: FileCheck): void {
  const symbols = graphSymbols(file, NO_GRAPH);
  const scope = flowScope(symbols);
  for (const item of ast.items) {
    if (item.kind === "type") checkType(item.type, file, report);
    if (item.kind === "memory") checkMemory(item, { symbols, report });
    if (item.kind === "model" || item.kind === "mcp") checkService(item, scope, report);
  }
  for (const { value } of configEntries(ast)) checkExpression(value, scope, report);
}

function checkService(decl: ModelDecl | McpDecl, scope: Scope, report: Report): void {
  for (const value of valuesOf(decl)) checkExpression(value, scope, report);
  if (decl.options !== undefined) checkExpression(decl.options, scope, report);
}

/** `stdio` and `http` are no functions: of them the arguments count. */
function valuesOf({ kind, value }: ModelDecl | McpDecl): readonly ExprAst[] {
  if (kind === "model") return [value];
  const { address, auth, spare } = serverCall(value);
  return [address, ...(auth === undefined ? [] : [auth]), ...spare.map((arg) => arg.value)];
}
