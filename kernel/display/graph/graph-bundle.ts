/** Makes the bundle of a graph: its picture, and the same in words. */
import { type Ir, printApproval, printLimit } from "../../../dsl/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { bundleOf, PLAIN, SVG } from "../bundle.ts";
import { visible, visibleLine } from "../visible.ts";
import { drawGraph } from "./draw.ts";
import { rememberGraph } from "./drawn-graphs.ts";
import { layoutGraph, nameOf } from "./layout.ts";
import { type OutlineArrow, outlineOf, type Shape } from "./outline.ts";

export async function graphBundle(ir: Ir): Promise<Bundle> {
  const plain = graphText(ir);
  rememberGraph(ir);
  const lines = [captionOf(ir)];
  const drawing = drawGraph(await layoutGraph(ir), { nodes: {}, lines, graphHash: ir.hash });
  return bundleOf({ [SVG]: drawing, [PLAIN]: plain });
}

/** `graph Review · limit 100 steps · approve before send`: the graph, and what bounds all of it. */
function captionOf({ name, limit, approvals }: Ir): string {
  return [
    `graph ${name}`,
    ...(limit === undefined ? [] : [printLimit(limit)]),
    ...approvals.map(printApproval),
  ].join(" · ");
}

/** Name, parameters, nodes and arrows, a line each. */
export function graphText(ir: Ir): string {
  const { shapes, arrows } = outlineOf(ir);
  const names = new Map(shapes.map((shape) => [shape.id, shapeName(shape)]));
  const params = ir.params.map(({ name, optional }) => `${name}${optional ? "?" : ""}`).join(", ");
  const returns = ir.returns.length === 0 ? "" : ` returns ${ir.returns.join(", ")}`;
  const nodes = ir.nodes.map((node) => {
    const each = node.each === undefined ? "" : `, for each ${node.each}`;
    const about = node.description === undefined ? "" : `: ${visibleLine(node.description)}`;
    return `  ${node.kind} ${nameOf(node)}${each}${about}`;
  });
  const lines = arrows.map((arrow) => `  ${arrowText(arrow, names)}`);
  return visible([`graph ${ir.name}(${params})${returns}`, ...nodes, ...lines].join("\n"));
}

function shapeName(shape: Shape): string {
  if (shape.kind === "node") return shape.node.name;
  return shape.kind === "join" ? shape.id.replace(/^join /, "") : shape.kind;
}

function arrowText(
  { from, fromFrame, to, label }: OutlineArrow,
  names: ReadonlyMap<string, string>,
): string {
  const begin = fromFrame ?? names.get(from) ?? from;
  const condition = label === "" ? "" : `  (${visibleLine(label)})`;
  return `${begin} -> ${names.get(to) ?? to}${condition}`;
}
