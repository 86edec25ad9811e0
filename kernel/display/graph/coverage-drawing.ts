/** Draws a graph with what its tests took of it. */
import type { CoveredArrow, GraphCoverage } from "../../../runtime/index.ts";
import { counted } from "../visible.ts";
import { drawGraph, type NodeState } from "./draw.ts";
import { layoutGraph } from "./layout.ts";
import type { PlacedArrow } from "./placed.ts";

/** The picture of a graph as SVG: arrows that no test took are red and dashed, nodes that none came to are plain. */
export async function drawCoverage({ ir, tests, arrows }: GraphCoverage): Promise<string> {
  const layout = await layoutGraph(ir);
  const taken = arrows.filter(({ times }) => times > 0);
  const reached = new Set(taken.map(({ to }) => to));
  const isReached: NodeState = { status: "succeeded", done: 1, total: 1 };
  const nodes = ir.nodes.flatMap(({ name }) => (reached.has(name) ? [[name, isReached]] : []));
  return drawGraph(layout, {
    nodes: Object.fromEntries(nodes),
    lines: [
      `graph ${ir.name}: ${taken.length} of ${counted(arrows.length, "arrow")} taken by ${counted(tests, "test")}`,
    ],
    timesOf: (arrow) => timesOf(arrow, arrows),
  });
}

/** An arrow that leaves one of several nodes is counted for each; others are known by their target alone. */
function timesOf(
  { from, target }: PlacedArrow,
  arrows: readonly CoveredArrow[],
): number | undefined {
  if (target === undefined) return undefined;
  const leading = arrows.filter((arrow) => arrow.target === target);
  const own = leading.filter((arrow) => `node ${arrow.from}` === from);
  return (own.length > 0 ? own : leading).reduce((sum, { times }) => sum + times, 0);
}
