/** Reports names that are declared twice in a file or a graph. */
import type { Finding } from "../../diagnostics/diagnostic.ts";
import { walk } from "../../ir/visit-tree.ts";
import { configEntries, declaredFields, declaredNodes } from "../../names/symbols.ts";
import type { FileAst, GraphDecl, Name, Param, TypeAst } from "../../syntax/tree/ast.ts";
import type { FileCheck, GraphCheck } from "../context.ts";

/** Reports each name that a file declares twice, at its second declaration. */
export function checkDuplicatesInFile({ ast, report }: FileCheck): void {
  for (const finding of duplicatesInFile(ast)) report(finding);
}

function duplicatesInFile(ast: FileAst): readonly Finding[] {
  const { items } = ast;
  const named = (kind: "model" | "mcp" | "memory" | "type") =>
    items.flatMap((item) => (item.kind === kind && "name" in item ? [item.name] : []));
  const imported = items
    .filter((item) => item.kind === "import")
    .flatMap((decl) => decl.names.map(({ name, as }) => as ?? name));
  const values = [
    ...imported,
    ...named("model"),
    ...named("mcp"),
    ...named("memory"),
    ...configEntries(ast).map((entry) => entry.key),
  ];
  const graphs = items.filter((item) => item.kind === "graph").map((graph) => graph.name);
  return [
    ...duplicates(inTextOrder([...values, ...firstOf(graphs)]), "name"),
    ...duplicates(named("type"), "type"),
    ...membersOf(ast).flatMap((members) => duplicates(members, "member")),
    ...duplicates(graphs, "graph"),
  ];
}

/** The names of the members of each object type, wherever it stands. */
function membersOf(ast: FileAst): readonly (readonly Name[])[] {
  const all: (readonly Name[])[] = [];
  walk(ast, (part) => {
    if (part.kind !== "object-type") return;
    const { members } = part as unknown as TypeAst & { readonly kind: "object-type" };
    all.push(members.map((member) => member.name));
  });
  return all;
}

/** Reports each name that a graph declares twice, at its second declaration. */
export function checkDuplicatesInGraph({ symbols, report }: GraphCheck): void {
  for (const finding of duplicatesInGraph(symbols.graph)) report(finding);
}

function duplicatesInGraph(graph: GraphDecl): readonly Finding[] {
  const fields = declaredFields(graph).map((field) => field.decl.name);
  const memories = graph.items.filter((item) => item.kind === "memory").map((item) => item.name);
  const values = [...graph.params.map((param) => param.name), ...fields, ...memories];
  const nodes = declaredNodes(graph);
  return [
    ...duplicates(inTextOrder(values), "field or parameter"),
    ...duplicates(
      nodes.map((node) => node.name),
      "node",
    ),
    ...nodes.flatMap((node) => duplicates(paramNames(node.params), "parameter")),
    ...duplicates(graph.returns, "result"),
  ];
}

/** Each name where it stands first. */
function firstOf(names: readonly Name[]): readonly Name[] {
  return names.filter((name, index) => names.findIndex(({ text }) => text === name.text) === index);
}

function paramNames(params: readonly Param[]): readonly Name[] {
  return params.map((param) => param.name);
}

function duplicates(names: readonly Name[], what: string): readonly Finding[] {
  const first = new Map<string, Name>();
  return names.flatMap((name): readonly Finding[] => {
    const before = first.get(name.text);
    if (before === undefined) {
      first.set(name.text, name);
      return [];
    }
    return [
      {
        code: "M2001",
        message: `there is already a ${what} called \`${name.text}\``,
        span: name.span,
        hint: "rename one of the two, or remove it",
        related: [{ span: before.span, message: "the first one" }],
      },
    ];
  });
}

function inTextOrder(names: readonly Name[]): readonly Name[] {
  return names.toSorted((a, b) => a.span.start - b.span.start);
}
