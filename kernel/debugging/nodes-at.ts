/** Which nodes of a graph, and of those that it calls, begin on lines of cells that have breakpoints. */
import { calledGraph, type Ir, positionAt } from "../../dsl/index.ts";

/** Their names as a breakpoint says them: `search`, `go/search`. */
export function nodesAt(
  ir: Ir,
  linesOf: (text: string) => readonly number[],
  { path = "", above = [] }: { readonly path?: string; readonly above?: readonly string[] } = {},
): readonly string[] {
  return ir.nodes.flatMap((node) => {
    const name = `${path}${node.name}`;
    const own = isOnLine(ir, node.span, linesOf) ? [name] : [];
    const graph =
      node.kind === "graph" ? calledGraph(ir, node.call?.callee.join(".") ?? "") : undefined;
    // A graph that calls itself has no last call that could be named here.
    if (graph === undefined || above.includes(graph.hash)) return own;
    const inside = { path: `${name}/`, above: [...above, ir.hash] };
    return [...own, ...nodesAt(graph, linesOf, inside)];
  });
}

function isOnLine(
  { source }: Ir,
  span: Ir["span"],
  linesOf: (text: string) => readonly number[],
): boolean {
  if (source === undefined || span === undefined) return false;
  const lines = linesOf(source.text);
  return lines.length > 0 && lines.includes(positionAt(source, span[0]).line);
}
