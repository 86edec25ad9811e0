/** Builds the symbol tables of a file and of its graphs. */
import { BUILT_IN_GRAPHS } from "../imports/built-in-graphs.ts";
import { ofKind } from "../imports/declaration.ts";
import { namesIn } from "../imports/names-in.ts";
import {
  raisedEntry,
  raisedGraph,
  raisedMcp,
  raisedMemory,
  raisedModel,
} from "../imports/raised.ts";
import { isMessagesType } from "../ir/types.ts";
import { lowerType } from "../lower/lower-type.ts";
import { once } from "../once.ts";
import type { FileAst, GraphDecl, Name, StateDecl } from "../syntax/tree/ast.ts";
import { isProgram } from "../vocabulary/library-programs.ts";
import { eachBodies } from "./each-bodies.ts";
import {
  type ConfigEntry,
  type FieldSymbol,
  type FileSymbols,
  type GraphSymbols,
  type ImportedName,
  type LinkedImport,
  NOTHING_LINKED,
  type NodeSymbol,
  type OwnDeclarations,
} from "./symbol-tables.ts";

/** The tables of a file. */
export function fileSymbols(
  ast: FileAst,
  scope: readonly string[] | undefined,
  linked: LinkedImport = NOTHING_LINKED,
): FileSymbols {
  const own = ownDeclarations(ast, linked);
  const graphs = ast.items.filter((item) => item.kind === "graph");
  const brought = broughtIn(linked);
  return {
    imports: new Map(own.imports.map((one) => [one.as.text, one])),
    models: firstByName([...brought.models, ...own.models], nameText),
    mcps: firstByName([...brought.mcps, ...own.mcps], nameText),
    types: new Map(
      [...ofKind(linked.declarations, "type").map(({ item }) => item), ...own.types].map(
        ({ name, type }) => [name, type],
      ),
    ),
    memories: firstByName([...brought.memories, ...own.memories], nameText),
    config: firstByName([...brought.config, ...own.config], (entry) => entry.key.text),
    graphs: firstByName([...graphs, ...brought.graphs], nameText),
    own,
    linked,
    scope,
    isScopeOpen: scope === undefined,
    idleImports: once(() => idleImports(ast, own.imports)),
  };
}

function ownDeclarations(ast: FileAst, { visible, graphs }: LinkedImport): OwnDeclarations {
  const { items } = ast;
  const known = new Set([...visible.map(({ as }) => as.text), ...graphs.keys()]);
  const imports = items
    .filter((item) => item.kind === "import")
    .flatMap((decl) => decl.names.map(({ name, as }) => ({ name, as: as ?? name, decl })))
    .filter(({ as }) => !known.has(as.text));
  const types = items.filter((item) => item.kind === "type");
  const first = <T>(all: readonly T[], nameOf: (item: T) => string) => [
    ...firstByName(all, nameOf).values(),
  ];
  return {
    imports: first(imports, (item) => item.as.text),
    models: first(
      items.filter((item) => item.kind === "model"),
      nameText,
    ),
    mcps: first(
      items.filter((item) => item.kind === "mcp"),
      nameText,
    ),
    types: first(types, nameText).map(({ name, type }) => ({
      name: name.text,
      type: lowerType(type),
    })),
    config: first(configEntries(ast), (entry) => entry.key.text),
    memories: first(
      items.filter((item) => item.kind === "memory"),
      nameText,
    ),
  };
}

function broughtIn({ visible, graphs }: LinkedImport) {
  const names = visible.flatMap(({ as, declarations }) =>
    declarations.map((one) => ({ as, ...one })),
  );
  return {
    models: names.flatMap(({ kind, as }) => (kind === "model" ? [raisedModel(as)] : [])),
    mcps: names.flatMap(({ kind, as }) => (kind === "mcp" ? [raisedMcp(as)] : [])),
    memories: names.flatMap((one) =>
      one.kind === "memory" ? [raisedMemory(one.as, one.item)] : [],
    ),
    config: names.flatMap(({ kind, as }) => (kind === "config" ? [raisedEntry(as)] : [])),
    graphs: [...graphs.values()].map(({ as, graph }) => raisedGraph(as, graph.ir)),
  };
}

function idleImports(ast: FileAst, imports: readonly ImportedName[]): readonly string[] {
  if (imports.length === 0) return [];
  const named = namesIn(ast.items.filter((item) => item.kind !== "import"));
  return imports.map(({ as }) => as.text).filter((name) => !named.has(name));
}

/**
 * Returns whether an import names a program that does not offer it, so that its type is unknown.
 */
export function isUnresolved({ imports }: FileSymbols, name: string): boolean {
  return isProgram(imports.get(name)?.decl.from.value ?? "");
}

/** The graph that is called so: of the file, of another program, or built in. */
export function graphCalled({ graphs }: FileSymbols, name: string): GraphDecl | undefined {
  return graphs.get(name) ?? BUILT_IN_GRAPHS.find((graph) => graph.name.text === name);
}

/** The names of the types that the text may use; what only imported things need is not offered. */
export function typeNames({ types, linked }: FileSymbols): readonly string[] {
  const visible = new Set(linked.visible.map(({ as }) => as.text));
  const hidden = ofKind(linked.declarations, "type").filter(({ name }) => !visible.has(name));
  const isHidden = new Set(hidden.map(({ name }) => name));
  return [...types.keys()].filter((name) => !isHidden.has(name));
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
  const bodies = eachBodies(graph);
  return {
    file,
    graph,
    params: firstByName(graph.params, nameText),
    fields: firstByName(
      declaredFields(graph).map((field) => withConversation(field, file)),
      (field) => field.decl.name.text,
    ),
    nodes: firstByName(declaredNodes(graph), nameText),
    memories: new Map([...file.memories, ...firstByName(memories, nameText)]),
    eachPaths: new Map(bodies.map(({ each, path }) => [each, path])),
    nodePaths: firstOf(bodies.flatMap(({ nodes, path }) => nodes.map((node) => [node, path]))),
    defaults: graph.items.flatMap((item) => (item.kind === "defaults" ? item.clauses : [])),
  };
}

/** Every node of a graph, in the order of the text. */
export function declaredNodes(graph: GraphDecl): readonly NodeSymbol[] {
  return graph.items.filter((item) => item.kind === "node" || item.kind === "call");
}

/** Every field of a graph, those in the bodies of nodes too; behind them those of items, by the ids of their `each`es. */
export function declaredFields(graph: GraphDecl): readonly FieldSymbol[] {
  const ofItems = eachBodies(graph).flatMap(({ each, id }) =>
    each.states.flatMap(({ fields }) =>
      fields.map((decl) => ({ decl, scope: "item" as const, owner: id })),
    ),
  );
  // The order of arrows may be another one where a graph is printed.
  ofItems.sort((a, b) => (a.owner < b.owner ? -1 : Number(a.owner > b.owner)));
  return [...fieldsBeside(graph), ...ofItems];
}

function fieldsBeside(graph: GraphDecl): readonly FieldSymbol[] {
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

/** A field of the type `Messages` has a reducer of its own, and begins with no message. */
function withConversation(field: FieldSymbol, { types }: Pick<FileSymbols, "types">): FieldSymbol {
  const { decl } = field;
  const { type, optional, span } = decl;
  if (type.kind !== "named" || !isMessagesType(lowerType(type), types)) return field;
  const empty = optional ? undefined : ({ kind: "list", items: [], span } as const);
  const { via = { name: { text: "messages", span }, args: [], span }, value = empty } = decl;
  return { ...field, decl: { ...decl, via, ...(value === undefined ? {} : { value }) } };
}

function nameText(declaration: { readonly name: Name }): string {
  return declaration.name.text;
}

function firstOf<V>(entries: readonly (readonly [string, V])[]): ReadonlyMap<string, V> {
  return new Map(entries.toReversed());
}

function firstByName<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T> {
  const found = new Map<string, T>();
  for (const item of items) if (!found.has(nameOf(item))) found.set(nameOf(item), item);
  return found;
}

/** The span of something that no text declares. */
export const NOWHERE = { start: 0, end: 0 };

/** The graph for scopes outside of every graph, in which only the file is visible. */
export const NO_GRAPH: GraphDecl = {
  kind: "graph",
  name: { text: "", span: NOWHERE },
  params: [],
  returns: [],
  items: [],
  span: NOWHERE,
};
