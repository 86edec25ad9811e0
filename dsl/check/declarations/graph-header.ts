/** Checks the parameters, results, fields and memories of a graph. */
import { MEMORY_SETTINGS, memorySetting } from "../../ir/memory-settings.ts";
import { lowerExpression } from "../../lower/lower-expression.ts";
import { lowerType } from "../../lower/lower-type.ts";
import type { Scope } from "../../names/scope.ts";
import { flowScope, memoryScope, nodeScope } from "../../names/scope.ts";
import { declaredFields } from "../../names/symbols.ts";
import type { ExprAst, MemoryDecl } from "../../syntax/tree/ast.ts";
import type { GraphCheck, NameCheck } from "../context.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import { checkType } from "../expressions/check-types.ts";
import { reportOuterShadowing } from "../expressions/shadowing.ts";
import { checkReadName } from "../expressions/single-names.ts";
import type { Report } from "../report.ts";
import { checkDefault, checkVia } from "./fields.ts";

/** The parameters of a graph: their types, defaults and names. */
export function checkGraphParams({ symbols, report }: GraphCheck): void {
  for (const param of symbols.graph.params) {
    checkType(param.type, symbols.file, report);
    checkDefault(param.value, param.type, flowScope(symbols), report);
    reportOuterShadowing(param.name, symbols, report);
  }
}

/** The results of a graph: fields or parameters. */
export function checkReturns({ symbols, report }: GraphCheck): void {
  for (const name of symbols.graph.returns) checkReadName(name, flowScope(symbols), report);
}

/** The fields of a graph, those in the bodies of nodes too: their types, defaults, reducers and names. */
export function checkFields({ symbols, report }: GraphCheck): void {
  for (const { decl, scope: lifetime, owner } of declaredFields(symbols.graph)) {
    const node = lifetime === "agent" ? symbols.nodes.get(owner ?? "") : undefined;
    const scope = node === undefined ? flowScope(symbols) : nodeScope(symbols, node);
    checkType(decl.type, symbols.file, report);
    checkDefault(decl.value, decl.type, scope, report);
    checkVia(decl.via, lowerType(decl.type), scope, report);
    reportOuterShadowing(decl.name, symbols, report);
  }
}

/** The memories of a graph. */
export function checkMemories(check: GraphCheck): void {
  for (const item of check.symbols.graph.items)
    if (item.kind === "memory") checkMemory(item, check);
}

/** A memory's type and what its entries are known by. */
export function checkMemory(memory: MemoryDecl, { symbols, report }: NameCheck): void {
  checkType(memory.type, symbols.file, report);
  const scope = memoryScope(lowerType(memory.type), flowScope(symbols));
  if (memory.by !== undefined) checkExpression(memory.by, scope, report);
  if (memory.options !== undefined) checkSettings(memory.options, flowScope(symbols), report);
}

function checkSettings(options: ExprAst, scope: Scope, report: Report): void {
  const entries = options.kind === "object" ? options.entries : [];
  for (const { key, value } of entries) {
    if (value === undefined) continue;
    checkExpression(value, scope, report);
    const kind = (MEMORY_SETTINGS as Readonly<Record<string, string>>)[key.text];
    if (kind !== undefined && memorySetting(key.text, lowerExpression(value, scope)) !== undefined)
      continue;
    report({
      code: "M4980",
      message:
        kind === undefined
          ? `a memory has no setting \`${key.text}\``
          : `\`${key.text}\` takes ${kind}`,
      span: value.span,
      hint: `settings are ${Object.entries(MEMORY_SETTINGS)
        .map(([name, takes]) => `\`${name}\`, ${takes}`)
        .join("; ")}`,
    });
  }
}
