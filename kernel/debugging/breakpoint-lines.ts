/** Finds the nodes or arrows that a breakpoint on a line of a cell holds. */
import { calledGraph, type Ir, positionAt, type SpanIr } from "../../dsl/index.ts";
import { type Breakpoint, debugging } from "../../runtime/index.ts";

/** Named from the run's own graph: `search`, `go/search -> read`. */
export function breakpointsAt(
  ir: Ir,
  linesOf: (text: string) => readonly number[],
  { path = "", above = [] }: { readonly path?: string; readonly above?: readonly string[] } = {},
): readonly Breakpoint[] {
  const own = heldIn(ir, linesOf).map((one) =>
    "edge" in one ? { edge: `${path}${one.edge}` } : `${path}${one.node}`,
  );
  const called = ir.nodes.flatMap((node) => {
    const graph =
      node.kind === "graph" ? calledGraph(ir, node.call?.callee.join(".") ?? "") : undefined;
    // A graph that calls itself has no last call that could be named here.
    if (graph === undefined || above.includes(graph.hash)) return [];
    const inside = { path: `${path}${node.name}/`, above: [...above, ir.hash] };
    return breakpointsAt(graph, linesOf, inside);
  });
  return [...own, ...called];
}

type HeldPart = { readonly node: string } | { readonly edge: string };

function heldIn(ir: Ir, linesOf: (text: string) => readonly number[]): readonly HeldPart[] {
  const { source } = ir;
  const lines = source === undefined ? [] : linesOf(source.text);
  if (source === undefined || lines.length === 0) return [];
  const lineOf = (span: SpanIr | undefined) => span && positionAt(source, span[0]).line;
  const ofNodes = new Map(ir.nodes.map(({ name, span }) => [name, lineOf(span)]));
  const nodes = [...ofNodes].filter(([, line]) => line !== undefined && lines.includes(line));
  const taken = new Set(ofNodes.values());
  const free = lines.filter((line) => !taken.has(line));
  const arrows = debugging
    .arrowsOf(ir.edges)
    .filter(({ parts }) => parts.some((part) => free.includes(lineOf(part) ?? 0)))
    .map(({ from, to }) => `${from} -> ${to}`);
  return [...nodes.map(([node]) => ({ node })), ...[...new Set(arrows)].map((edge) => ({ edge }))];
}
