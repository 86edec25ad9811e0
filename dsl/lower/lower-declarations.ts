/** Selects and lowers the declarations of a file that a graph uses. */
import { type Declaration, type DeclarationOf, ofKind } from "../imports/declaration.ts";
import { defined } from "../ir/defined.ts";
import type { EntryIr, ExprIr, ImportIr, Ir, McpIr, MemoryIr, ModelIr, PriceIr } from "../ir/ir.ts";
import { flowScope, memoryScope, type Scope } from "../names/scope.ts";
import type { ConfigEntry, GraphSymbols, ImportedName } from "../names/symbol-tables.ts";
import type { McpDecl, MemoryDecl, ModelDecl, ObjectAst, PricePart } from "../syntax/tree/ast.ts";
import { GUARD } from "../vocabulary/guard-members.ts";
import { MODES } from "../vocabulary/modes.ts";
import { lowerExpression, spanOf } from "./lower-expression.ts";
import { lowerType } from "./lower-type.ts";
import { type GraphPart, reachable, referencesOfAll } from "./references.ts";
import { serverCall } from "./server-call.ts";

type Declarations = Pick<Ir, "imports" | "models" | "mcps" | "types" | "config" | "memories">;

/**
 * Returns the declarations of its file that the graph uses, directly or through others; those of
 * other files come first.
 */
export function lowerDeclarations(symbols: GraphSymbols, part: GraphPart): Declarations {
  const { file } = symbols;
  const linked = file.linked.declarations;
  const scope = flowScope(symbols);
  const settings = [
    ...ofKind(linked, "config").map(({ name, item }) => ({ name, value: item.value })),
    ...file.own.config.map((entry) => lowerEntry(entry, scope)),
  ];
  const mcps = usedOf(
    [...itemsOf(linked, "mcp"), ...file.own.mcps.map((decl) => lowerMcp(decl, scope))],
    part,
  );
  const named = new Set(usedOf(settings, part, mcps));
  // A run may be started in a mode that its graph does not name, and its guard looks at what no expression names.
  const config = settings.filter(
    (one) => named.has(one) || one.name === MODES || one.name === GUARD,
  );
  const memories = usedOf(memoriesOf(symbols, scope), part);
  const models = usedOf(
    [...itemsOf(linked, "model"), ...file.own.models.map((decl) => lowerModel(decl, scope))],
    part,
    config,
    memories.map(({ options }) => options),
  );
  const types = reachable(
    [...file.types].map(([name, type]) => ({ name, type })),
    [part, memories],
    (references) => references.types,
  );
  const referred = referencesOfAll([part, config, models, memories, mcps, types]);
  // Of `lib.Thing` the file imports `lib`.
  const importedTypes = new Set([...referred.types].map((type) => type.split(".")[0]));
  const imports = [...itemsOf(linked, "import"), ...file.own.imports.map(lowerImport)];
  return {
    imports: imports.filter(
      ({ as }) => referred.names.has(as) || (importedTypes.has(as) && !file.types.has(as)),
    ),
    models,
    mcps,
    types,
    config: config.map(({ name, value }) => ({ key: name, value })),
    memories,
  };
}

function itemsOf<K extends Declaration["kind"]>(
  declarations: readonly Declaration[],
  kind: K,
): readonly DeclarationOf<K>["item"][] {
  return ofKind(declarations, kind).map((one) => one.item as DeclarationOf<K>["item"]);
}

/** Returns the memories of the graph and its file. Those of other files are lowered already. */
function memoriesOf({ file, memories }: GraphSymbols, scope: Scope): readonly MemoryIr[] {
  const brought = itemsOf(file.linked.declarations, "memory");
  return [...memories].map(([name, decl]) => {
    const isOfFile = file.memories.get(name) === decl;
    const known = isOfFile ? brought.find((one) => one.name === name) : undefined;
    return known ?? lowerMemory(decl, scope);
  });
}

function usedOf<T extends { readonly name: string }>(
  declared: readonly T[],
  ...from: readonly unknown[]
): readonly T[] {
  return reachable(declared, from, (references) => references.names);
}

/** A setting, under the key that it has. */
export function lowerConfigEntry({ key, value }: ConfigEntry, scope: Scope): EntryIr {
  return { key: key.text, value: lowerExpression(value, scope) };
}

function lowerEntry(entry: ConfigEntry, scope: Scope) {
  const { key: name, value } = lowerConfigEntry(entry, scope);
  return { name, value };
}

/** A name that TypeScript is to bring. */
export function lowerImport({ name, as, decl }: ImportedName): ImportIr {
  return { name: name.text, as: as.text, from: decl.from.value };
}

/** A model, under its alias. */
export function lowerModel(decl: ModelDecl, scope: Scope): ModelIr {
  const { name, value, options, price, span } = decl;
  return defined({
    name: name.text,
    value: lowerExpression(value, scope),
    options: options && lowerExpression(options, scope),
    price: price && lowerPrice(price),
    span: spanOf(span),
  });
}

function lowerPrice(parts: readonly PricePart[]): PriceIr {
  const of = (word: string) => parts.find(({ part }) => part.text === word)?.usd;
  return { input: of("in") ?? 0, output: of("out") ?? 0, ...defined({ cached: of("cached") }) };
}

/** A server of tools, or an API. */
export function lowerMcp(decl: McpDecl, scope: Scope): McpIr {
  const { protocol, name, value, options, optional } = decl;
  const { address, auth } = protocol === undefined ? serverCall(value) : { address: value };
  return defined({
    protocol,
    name: name.text,
    value: lowerExpression(address, scope),
    options: lowerServerOptions(options, auth && lowerExpression(auth, scope), scope),
    optional,
  });
}

/** `http("…", "TOKEN")` is the same server as `"…" { auth: "TOKEN" }`. */
function lowerServerOptions(
  options: ObjectAst | undefined,
  auth: ExprIr | undefined,
  scope: Scope,
): ExprIr | undefined {
  const written = options && lowerExpression(options, scope);
  if (auth === undefined) return written;
  const entries = written?.kind === "object" ? written.entries : [];
  return { kind: "object", entries: [{ key: "auth", value: auth }, ...entries] };
}

/** A long-term memory. */
export function lowerMemory(decl: MemoryDecl, scope: Scope): MemoryIr {
  const { name, scope: whose, type, by, options } = decl;
  return defined({
    name: name.text,
    scope: whose,
    type: lowerType(type),
    by: by && lowerExpression(by, memoryScope(lowerType(type), scope)),
    options: options && lowerExpression(options, scope),
  });
}
