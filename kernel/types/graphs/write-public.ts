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
  return `declare namespace ${name} {
  export interface Input ${objectText(input, declared)}
  export interface State ${objectText([...given, ...fields], declared)}
  export type Output = Pick<State, ${union(returns)}>;
  export type Node = ${union(nodes.map((node) => node.name))};
}
declare const ${name}: import("madrigal").Graph<${name}.Input, ${name}.Output, ${name}.State, ${name}.Node>;`;
}

function union(names: readonly string[]): string {
  return names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ");
}
