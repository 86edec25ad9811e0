import type { Ir } from "../../../dsl/index.ts";
import { type DeclaredTypes, objectText, typeText } from "./type-text.ts";

/**
 * What later cells see of graphs: their types, and each graph as a constant with its input, output, state and nodes. The
 * text is TypeScript, and a declaration file too.
 */
export function publicText(graphs: readonly Ir[]): string {
  const types = new Map(graphs.flatMap((graph) => graph.types).map((one) => [one.name, one.type]));
  const declared = new Set(types.keys());
  return [
    ...[...types].map(([name, type]) => `type ${name} = ${typeText(type, declared)};`),
    ...graphs.map((graph) => graphText(graph, declared)),
  ].join("\n");
}

/** The names that `publicText` declares. */
export function publicNames(graphs: readonly Ir[]): ReadonlySet<string> {
  return new Set(graphs.flatMap((graph) => [graph.name, ...graph.types.map(({ name }) => name)]));
}

function graphText(graph: Ir, declared: DeclaredTypes): string {
  const { name, params, returns, nodes } = graph;
  const input = params.map((param) => ({
    ...param,
    optional: param.optional || param.default !== undefined,
  }));
  const given = params.map((param) => ({ ...param, readonly: true }));
  const fields = graph.fields.filter(({ scope }) => scope !== "agent");
  // Members stand outside: in the namespace, a person's own type `Input` would be hidden by that of the graph.
  return `interface ${name}$Input ${objectText(input, declared)}
interface ${name}$State ${objectText([...given, ...fields], declared)}
declare namespace ${name} {
  export interface Input extends ${name}$Input {}
  export interface State extends ${name}$State {}
  export type Output = { [Name in ${union(returns)}]: State[Name] };
  export type Node = ${union(nodes.map((node) => node.name))};
}
declare const ${name}: import("madrigal").Graph<${name}.Input, ${name}.Output, ${name}.State, ${name}.Node>;`;
}

function union(names: readonly string[]): string {
  return names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ");
}
