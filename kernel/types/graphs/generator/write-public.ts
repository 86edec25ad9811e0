/** Writes the public types of a graph, which later cells see. */
import { type Ir, isMessagesType, type TypeIr } from "../../../../dsl/index.ts";
import type { ResolvedType, Subgraph } from "../../service.ts";
import { type DeclaredTypes, objectText, type TypeMember, typeText } from "./type-text.ts";

/** Graphs, and the types that TypeScript declares for them. */
export interface PublicGraphs {
  readonly graphs: readonly Ir[];
  readonly types: readonly ResolvedType[];
}

/**
 * Returns the declarations of graphs for later cells: their types, and each graph as a constant
 * with its input, output, state and nodes. The text is both TypeScript and a declaration file.
 */
export function publicText(of: PublicGraphs): string {
  const declared = declaredTypes(of);
  return [
    typesText(of),
    ...of.graphs.map((graph) => graphText(graph, declared)),
    ...of.graphs.map(({ name }) => constantText(name)),
  ].join("\n");
}

/**
 * Returns the declaration of a graph of another file: its types have names of their own, which take nothing from the notebook.
 */
export function importedText({ graph, types }: Subgraph): string {
  const own = typesOf([graph]);
  const declared = new Map([
    ...own.map(([name]) => [name, `${graph.name}$${name}`] as const),
    ...types.map(({ name, text }) => [name, text] as const),
  ]);
  return [
    ...own.map(([name, type]) => `type ${graph.name}$${name} = ${typeText(type, declared)};`),
    graphText(graph, declared),
    constantText(graph.name),
  ].join("\n");
}

/** Returns the declarations of the graphs' own types, which their check needs. */
export function typesText(of: PublicGraphs): string {
  const declared = declaredTypes(of);
  const own = typesOf(of.graphs).filter(([name]) => declared.get(name) === name);
  const known = new Set(of.types.map(({ name }) => name));
  return own
    .filter(([name]) => !known.has(name))
    .map(([name, type]) => `type ${name} = ${typeText(type, declared)};`)
    .join("\n");
}

/**
 * Returns the TypeScript text of each type that the graphs name: by its name for a type of the
 * file, else by `text`.
 */
export function declaredTypes({ graphs, types }: PublicGraphs): DeclaredTypes {
  return new Map([
    ...typesOf(graphs).map(([name]) => [name, name] as const),
    ...types.map(({ name, text }) => [name, text] as const),
  ]);
}

function typesOf(graphs: readonly Ir[]) {
  return [
    ...new Map(
      graphs.flatMap((graph) => graph.types).map(({ name, type }) => [name, type] as const),
    ),
  ];
}

/** The types of a graph's input, output, state and nodes. */
export function graphText(graph: Ir, declared: DeclaredTypes): string {
  const { name, params, returns, nodes } = graph;
  const input = inputsOf(graph, declared);
  const given = params.map((param) => ({ ...param, readonly: true }));
  const fields = graph.fields.filter(({ scope }) => scope !== "agent" && scope !== "item");
  // Members stand outside: in the namespace, a person's own type `Input` would be hidden by that of the graph.
  return `interface ${name}$Input ${objectText(input, declared)}
interface ${name}$State ${objectText([...given, ...fields], declared)}
declare namespace ${name} {
  export interface Input extends ${name}$Input {}
  export interface State extends ${name}$State {}
  export type Output = { [Name in ${union(returns)}]: State[Name] };
  export type Node = ${union(nodes.map((node) => node.name))};
}`;
}

/** Returns the members of the input of a graph; messages are read in many forms when it begins. */
export function inputsOf({ params }: Ir, declared: DeclaredTypes): readonly TypeMember[] {
  return params.map(({ name, type, optional, default: value }) => ({
    name,
    type: isMessagesType(type, declared) ? ANYTHING : type,
    optional: optional || value !== undefined,
  }));
}

const ANYTHING: TypeIr = { kind: "named", name: "Json", args: [] };

function constantText(name: string): string {
  return `declare const ${name}: import("madrigal").Graph<${name}.Input, ${name}.Output, ${name}.State, ${name}.Node>;`;
}

function union(names: readonly string[]): string {
  return names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ");
}
