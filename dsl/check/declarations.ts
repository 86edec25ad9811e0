import type { Finding } from "../diagnostic.ts";
import { flowScope, type Scope } from "../scope.ts";
import { configEntries, type FileSymbols, graphSymbols } from "../symbols.ts";
import type { FileAst, GraphDecl, McpDecl, ModelDecl } from "../syntax/ast.ts";
import { checkExpression } from "./check-expression.ts";
import { checkType } from "./check-types.ts";
import { checkMemory } from "./header.ts";

/** Checks what a file declares outside its graphs: the types, and the names in models, settings and servers. */
export function checkDeclarations(ast: FileAst, file: FileSymbols): readonly Finding[] {
  const findings: Finding[] = [];
  const report = (finding: Finding) => findings.push(finding);
  const symbols = graphSymbols(file, NO_GRAPH);
  const scope = flowScope(symbols);
  for (const item of ast.items) {
    if (item.kind === "type") checkType(item.type, file, report);
    if (item.kind === "memory") checkMemory(item, { symbols, report });
    if (item.kind === "model" || item.kind === "mcp") checkService(item, scope, report);
  }
  for (const { value } of configEntries(ast)) checkExpression(value, scope, report);
  return findings;
}

function checkService(
  decl: ModelDecl | McpDecl,
  scope: Scope,
  report: (finding: Finding) => void,
): void {
  checkExpression(decl.value, scope, report);
  if (decl.options !== undefined) checkExpression(decl.options, scope, report);
}

const NOWHERE = { start: 0, end: 0 };

/** What stands outside every graph sees the file alone. */
const NO_GRAPH: GraphDecl = {
  kind: "graph",
  name: { text: "", span: NOWHERE },
  params: [],
  returns: [],
  items: [],
  span: NOWHERE,
};
