/** Checks the declarations of a file outside its graphs. */
import { flowScope, type Scope } from "../../names/scope.ts";
import { configEntries, graphSymbols, NO_GRAPH } from "../../names/symbols.ts";
import type { McpDecl, ModelDecl } from "../../syntax/tree/ast.ts";
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
  checkExpression(decl.value, scope, report);
  if (decl.options !== undefined) checkExpression(decl.options, scope, report);
}
