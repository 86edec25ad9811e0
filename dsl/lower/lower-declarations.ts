import { defined } from "../defined.ts";
import type { ImportIr, Ir, McpIr, MemoryIr, ModelIr } from "../ir.ts";
import { flowScope, memoryScope, type Scope } from "../scope.ts";
import type { ConfigEntry, GraphSymbols, ImportedName } from "../symbols.ts";
import type { McpDecl, MemoryDecl, ModelDecl } from "../syntax/ast.ts";
import { lowerExpression, spanOf } from "./lower-expression.ts";
import { lowerType } from "./lower-type.ts";
import { type GraphPart, reachable, referencesOf } from "./references.ts";

type Declarations = Pick<Ir, "imports" | "models" | "mcps" | "types" | "config" | "memories">;

/** What the graph uses of its file, directly or through what it uses, in the order of the file. */
export function lowerDeclarations(symbols: GraphSymbols, part: GraphPart): Declarations {
  const { file } = symbols;
  const scope = flowScope(symbols);
  const config = usedOf(
    [...file.config].map(([name, entry]) => lowerEntry(name, entry, scope)),
    part,
  );
  const models = usedOf(
    [...file.models.values()].map((decl) => lowerModel(decl, scope)),
    part,
    config,
  );
  const memories = usedOf(
    [...symbols.memories.values()].map((decl) => lowerMemory(decl, scope)),
    part,
  );
  const mcps = usedOf(
    [...file.mcps.values()].map((decl) => lowerMcp(decl, scope)),
    part,
  );
  const types = reachable(
    [...file.types].map(([name, type]) => ({ name, type })),
    [part, memories],
    (references) => references.types,
  );
  const referred = referencesOf([part, config, models, memories, mcps, types]);
  const imports = [...file.imports.values()].map(lowerImport);
  return {
    imports: imports.filter(({ as }) => referred.names.has(as) || referred.types.has(as)),
    models,
    mcps,
    types,
    config: config.map(({ name, value }) => ({ key: name, value })),
    memories,
  };
}

function usedOf<T extends { readonly name: string }>(
  declared: readonly T[],
  ...from: readonly unknown[]
): readonly T[] {
  return reachable(declared, from, (references) => references.names);
}

function lowerEntry(name: string, { value }: ConfigEntry, scope: Scope) {
  return { name, value: lowerExpression(value, scope) };
}

function lowerImport({ name, as, decl }: ImportedName): ImportIr {
  return { name: name.text, as: as.text, from: decl.from.value };
}

function lowerModel({ name, value, options, span }: ModelDecl, scope: Scope): ModelIr {
  return defined({
    name: name.text,
    value: lowerExpression(value, scope),
    options: options && lowerExpression(options, scope),
    span: spanOf(span),
  });
}

function lowerMcp({ name, value, options, optional }: McpDecl, scope: Scope): McpIr {
  return defined({
    name: name.text,
    value: lowerExpression(value, scope),
    options: options && lowerExpression(options, scope),
    optional,
  });
}

function lowerMemory({ name, type, by }: MemoryDecl, scope: Scope): MemoryIr {
  return defined({
    name: name.text,
    type: lowerType(type),
    by: by && lowerExpression(by, memoryScope(lowerType(type), scope)),
  });
}
