/** Writes the types of the graphs that a graph calls. */
import { calledGraph, type Ir } from "../../../../dsl/index.ts";
import type { Subgraph } from "../../service.ts";
import type { TextWriter } from "./mapped-text.ts";
import { objectText } from "./type-text.ts";
import { declaredTypes, inputsOf, type PublicGraphs, typesText } from "./write-public.ts";

/** The graphs that are called, by name. */
export type Subgraphs = ReadonlyMap<string, Subgraph>;

/**
 * Returns the graphs that each graph of a cell calls, by name; those not in the cell are of earlier
 * cells.
 */
export function subgraphsOf(cell: PublicGraphs, others: readonly Subgraph[]): Subgraphs {
  const known = new Map<string, Subgraph>();
  for (const graph of cell.graphs)
    for (const { kind, call } of graph.nodes) {
      const name = call?.callee.join(".") ?? "";
      if (kind !== "graph" || known.has(name)) continue;
      const own = calledGraph(graph, name) ?? cell.graphs.find((one) => one.name === name);
      const found =
        own === undefined
          ? others.find((one) => one.graph.name === name)
          : { graph: own, types: cell.types };
      if (found !== undefined) known.set(name, found);
    }
  return known;
}

/** Writes what calls are checked against, in a namespace a graph: it may be of another program, with types of its own. */
export function writeSubgraphs(to: TextWriter, subgraphs: Subgraphs): void {
  for (const [name, { graph, types }] of subgraphs) {
    const of = { graphs: [graph], types };
    const declared = declaredTypes(of);
    to.raw(`declare namespace ${subgraphName(name)} {
${typesText(of)}
export interface $Input ${objectText(inputsOf(graph, declared), declared)}
export interface $Output ${objectText(outputsOf(graph), declared)}
}\n`);
  }
}

/** Returns the name of the namespace for a called graph. */
export function subgraphName(name: string): string {
  return `$graph_${name}`;
}

function outputsOf({ returns, fields, params }: Ir) {
  return [...params, ...fields].filter(({ name }) => returns.includes(name));
}
