import type { FieldIr, TypeIr } from "./ir.ts";
import { lowerType } from "./lower/lower-type.ts";
import type {
  CallDecl,
  Clause,
  ExprAst,
  FieldDecl,
  FileAst,
  GraphDecl,
  ImportDecl,
  McpDecl,
  MemoryDecl,
  ModelDecl,
  Name,
  NodeDecl,
  Param,
  StateDecl,
} from "./syntax/ast.ts";

/** What a file declares, by name. Where a name stands twice the first one is meant; `check/duplicates.ts` reports the others. */
export interface FileSymbols {
  /** By the name used in this file. */
  readonly imports: ReadonlyMap<string, ImportedName>;
  readonly models: ReadonlyMap<string, ModelDecl>;
  readonly mcps: ReadonlyMap<string, McpDecl>;
  readonly types: ReadonlyMap<string, TypeIr>;
  readonly memories: ReadonlyMap<string, MemoryDecl>;
  readonly config: ReadonlyMap<string, ConfigEntry>;
  readonly graphs: ReadonlyMap<string, GraphDecl>;
  /** What TypeScript offers; `undefined` where nobody can know, as in a bare command line. */
  readonly scope: readonly string[] | undefined;
  /** The imports that nothing in the file names: where `scope` is not known, one of them may be what was meant. */
  readonly idleImports: readonly string[];
}

export interface ImportedName {
  readonly name: Name;
  readonly as: Name;
  readonly decl: ImportDecl;
}

export interface ConfigEntry {
  readonly key: Name;
  readonly value: ExprAst;
}

export type NodeSymbol = NodeDecl | CallDecl;

export interface FieldSymbol {
  readonly decl: FieldDecl;
  readonly scope: FieldIr["scope"];
  /** For scope `agent`: the node that owns it. */
  readonly owner?: string;
}

/** What a graph declares, by name, on top of its file. */
export interface GraphSymbols {
  readonly file: FileSymbols;
  readonly graph: GraphDecl;
  readonly params: ReadonlyMap<string, Param>;
  readonly fields: ReadonlyMap<string, FieldSymbol>;
  readonly nodes: ReadonlyMap<string, NodeSymbol>;
  readonly memories: ReadonlyMap<string, MemoryDecl>;
  /** What is written in `defaults { }`. */
  readonly defaults: readonly Clause[];
}

/** The tables of a file. */
export function fileSymbols(ast: FileAst, scope: readonly string[] | undefined): FileSymbols {
  const { items } = ast;
  const imports = items
    .filter((item) => item.kind === "import")
    .flatMap((decl) => decl.names.map(({ name, as }) => ({ name, as: as ?? name, decl })));
  const types = items.filter((item) => item.kind === "type");
  return {
    imports: firstByName(imports, (item) => item.as.text),
    models: firstByName(
      items.filter((item) => item.kind === "model"),
      nameText,
    ),
    mcps: firstByName(
      items.filter((item) => item.kind === "mcp"),
      nameText,
    ),
    types: new Map(
      [...firstByName(types, nameText)].map(([name, { type }]) => [name, lowerType(type)]),
    ),
    memories: firstByName(
      items.filter((item) => item.kind === "memory"),
      nameText,
    ),
    config: firstByName(configEntries(ast), (entry) => entry.key.text),
    graphs: firstByName(
      items.filter((item) => item.kind === "graph"),
      nameText,
    ),
    scope,
    idleImports: idleImports(ast, imports),
  };
}

function idleImports(ast: FileAst, imports: readonly ImportedName[]): readonly string[] {
  if (imports.length === 0) return [];
  const named = new Set<string>();
  for (const item of ast.items) if (item.kind !== "import") collectNames(item, named);
  return imports.map(({ as }) => as.text).filter((name) => !named.has(name));
}

function collectNames(part: unknown, named: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  if ("text" in part && typeof part.text === "string") named.add(part.text);
  for (const value of Object.values(part)) collectNames(value, named);
}

/** The settings of all `config` blocks; the short form `{ a }` names itself. */
export function configEntries(ast: FileAst): readonly ConfigEntry[] {
  return ast.items
    .filter((item) => item.kind === "config")
    .flatMap((decl) => decl.value.entries)
    .map(({ key, value }) => ({ key, value: value ?? { kind: "name", ...key } }));
}

/** The tables of a graph. */
export function graphSymbols(file: FileSymbols, graph: GraphDecl): GraphSymbols {
  const memories = graph.items.filter((item) => item.kind === "memory");
  return {
    file,
    graph,
    params: firstByName(graph.params, nameText),
    fields: firstByName(declaredFields(graph), (field) => field.decl.name.text),
    nodes: firstByName(declaredNodes(graph), nameText),
    memories: new Map([...file.memories, ...firstByName(memories, nameText)]),
    defaults: graph.items.flatMap((item) => (item.kind === "defaults" ? item.clauses : [])),
  };
}

/** Every node of a graph, in the order of the text. */
export function declaredNodes(graph: GraphDecl): readonly NodeSymbol[] {
  return graph.items.filter((item) => item.kind === "node" || item.kind === "call");
}

/** Every field of a graph, those in the bodies of nodes too. */
export function declaredFields(graph: GraphDecl): readonly FieldSymbol[] {
  return graph.items.flatMap((item): readonly FieldSymbol[] => {
    if (item.kind === "state") return fieldsOf(item);
    if (item.kind !== "node" && item.kind !== "call") return [];
    const states = item.clauses.filter((clause) => clause.kind === "state");
    return states.flatMap((state) =>
      state.fields.map((decl) => ({ decl, scope: "agent" as const, owner: item.name.text })),
    );
  });
}

function fieldsOf(state: StateDecl): readonly FieldSymbol[] {
  return state.fields.map((decl) => ({ decl, scope: state.scope }));
}

function nameText(declaration: { readonly name: Name }): string {
  return declaration.name.text;
}

function firstByName<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T> {
  const found = new Map<string, T>();
  for (const item of items) if (!found.has(nameOf(item))) found.set(nameOf(item), item);
  return found;
}
