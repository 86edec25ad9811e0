import { lowerType } from "../lower/lower-type.ts";
import { flowScope, memoryScope, nodeScope } from "../scope.ts";
import { declaredFields, type FieldSymbol } from "../symbols.ts";
import type { MemoryDecl, Param } from "../syntax/ast.ts";
import { checkExpression } from "./check-expression.ts";
import { checkType } from "./check-types.ts";
import type { GraphCheck } from "./context.ts";
import { checkDefault, checkVia } from "./fields.ts";
import { checkReadName } from "./names.ts";
import { reportOuterShadowing } from "./shadowing.ts";

/** Checks what a graph declares besides nodes: parameters, results, fields, memories. */
export function checkHeader(check: GraphCheck): void {
  const { symbols, report } = check;
  const { graph } = symbols;
  for (const param of graph.params) checkGraphParam(param, check);
  for (const name of graph.returns) checkReadName(name, flowScope(symbols), report);
  for (const field of declaredFields(graph)) checkField(field, check);
  for (const item of graph.items) if (item.kind === "memory") checkMemory(item, check);
}

/** A memory's type and what its entries are known by. */
export function checkMemory(memory: MemoryDecl, { symbols, report }: GraphCheck): void {
  checkType(memory.type, symbols.file, report);
  const scope = memoryScope(lowerType(memory.type), flowScope(symbols));
  if (memory.by !== undefined) checkExpression(memory.by, scope, report);
}

function checkGraphParam(param: Param, { symbols, report }: GraphCheck): void {
  checkType(param.type, symbols.file, report);
  checkDefault(param.value, param.type, flowScope(symbols), report);
  reportOuterShadowing(param.name, symbols, report);
}

function checkField({ decl, owner }: FieldSymbol, { symbols, report }: GraphCheck): void {
  const node = owner === undefined ? undefined : symbols.nodes.get(owner);
  const scope = node === undefined ? flowScope(symbols) : nodeScope(symbols, node);
  checkType(decl.type, symbols.file, report);
  checkDefault(decl.value, decl.type, scope, report);
  checkVia(decl.via, lowerType(decl.type), scope, report);
  reportOuterShadowing(decl.name, symbols, report);
}
