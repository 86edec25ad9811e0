/** Writes the types of the graphs that a graph calls. */
import { dirname, join, relative } from "node:path";
import { calledGraph, type Ir, isProgram, type TypeIr } from "../../../../dsl/index.ts";
import type { ResolvedType, Subgraph } from "../../service.ts";
import type { TextWriter } from "./mapped-text.ts";
import { objectText } from "./type-text.ts";
import { declaredTypes, inputsOf, type PublicGraphs, typesText } from "./write-public.ts";

/** The graphs that are called, by name. */
export type Subgraphs = ReadonlyMap<string, Subgraph>;

/**
 * Returns the graphs that each graph of a cell calls, by name; those not in the cell are of earlier
 * cells or of other programs.
 */
export function subgraphsOf(cell: PublicGraphs, others: readonly Subgraph[]): Subgraphs {
  const known = new Map<string, Subgraph>();
  for (const graph of cell.graphs)
    for (const { kind, call } of graph.nodes) {
      const name = call?.callee.join(".") ?? "";
      if (kind !== "graph" || known.has(name)) continue;
      const own = calledGraph(graph, name) ?? cell.graphs.find((one) => one.name === name);
      const isOfCell = own !== undefined && own.source?.file === graph.source?.file;
      const found = isOfCell
        ? { graph: own, types: cell.types }
        : (others.find((one) => (own ? one.graph.hash === own.hash : one.graph.name === name)) ??
          (own && { graph: own, types: importedTypes(own, graph) }));
      if (found !== undefined) known.set(name, found);
    }
  return known;
}

/** Returns the types of TypeScript that a graph of another program imports, as the program of `from` names them. */
export function importedTypes(graph: Ir, from: Pick<Ir, "source">): readonly ResolvedType[] {
  const known = new Set(graph.types.map(({ name }) => name));
  const folder = relative(folderOf(from), folderOf(graph));
  return graph.imports
    .filter((one) => !isProgram(one.from) && !known.has(one.as))
    .map((one) => {
      const path = one.from.startsWith(".") ? `./${join(folder, one.from)}` : one.from;
      const module = JSON.stringify(path.replaceAll("\\", "/"));
      return { name: one.as, text: `import(${module}).${one.name}`, type: ANYTHING };
    });
}

function folderOf({ source }: Pick<Ir, "source">): string {
  return dirname(source?.file ?? "");
}

const ANYTHING: TypeIr = { kind: "named", name: "any", args: [] };

/**
 * Writes what calls are checked against, in a namespace a graph: it may be of another program, with types of its own. What is
 * wrong in it is said where that program is checked.
 */
export function writeSubgraphs(to: TextWriter, subgraphs: Subgraphs): void {
  for (const [name, { graph, types }] of subgraphs) {
    const of = { graphs: [graph], types };
    const declared = declaredTypes(of);
    to.echo(() => {
      to.raw(`declare namespace ${subgraphName(name)} {
${typesText(of)}
export interface $Input ${objectText(inputsOf(graph, declared), declared)}
export interface $Output ${objectText(outputsOf(graph), declared)}
}\n`);
    });
  }
}

/** Returns the name of the namespace for a called graph. */
export function subgraphName(name: string): string {
  return `$graph_${name}`;
}

function outputsOf({ returns, fields, params }: Ir) {
  return [...params, ...fields].filter(({ name }) => returns.includes(name));
}
