/** Writes a graph as Graphviz reads it, with the names of its nodes. */
import type { Ir } from "../../../dsl/index.ts";
import { visibleLine } from "../visible.ts";
import { nameOf } from "./layout.ts";
import { type Outline, type OutlineArrow, outlineOf, type Shape } from "./outline.ts";

/** A graph as Graphviz reads it, with the names of its nodes: for people who lay it out by themselves. */
export function dotText(ir: Ir): string {
  const outline = outlineOf(ir);
  return [
    `digraph ${quoted(ir.name)} {`,
    // An arrow that leaves an `each` as a whole begins at its box.
    "  rankdir=LR; compound=true",
    "  node [shape=box, style=rounded, fontname=sans]",
    "  edge [fontname=sans, fontsize=10]",
    ...inside(outline, undefined).map((line) => `  ${line}`),
    ...outline.arrows.map((arrow) => `  ${dotArrow(arrow)}`),
    "}",
    "",
  ].join("\n");
}

function inside(outline: Outline, frame: string | undefined): readonly string[] {
  const shapes = outline.shapes.filter((shape) => shape.frame === frame).map(dotShape);
  const frames = outline.frames.filter((one) => one.frame === frame);
  return [
    ...shapes,
    ...frames.flatMap((one) => [
      `subgraph ${quoted(`cluster ${one.id}`)} {`,
      `  label=${quoted(one.title)}`,
      ...inside(outline, one.id).map((line) => `  ${line}`),
      "}",
    ]),
  ];
}

function dotShape(shape: Shape): string {
  switch (shape.kind) {
    case "start":
    case "end":
    case "return":
      return `${quoted(shape.id)} [label=${quoted(shape.kind)}, shape=oval]`;
    case "join":
      return `${quoted(shape.id)} [label=${quoted(shape.text)}, shape=circle]`;
    case "node":
      return `${quoted(shape.id)} [label=${quoted(`${shape.node.kind} ${nameOf(shape.node)}`)}]`;
  }
}

function dotArrow({ from, fromFrame, to, label, kind }: OutlineArrow): string {
  const options = [
    ...(label === "" ? [] : [`label=${quoted(label)}`]),
    ...(kind === "flow" ? [] : ["style=dashed"]),
    ...(kind === "message" ? ["constraint=false"] : []),
    ...(fromFrame === undefined ? [] : [`ltail=${quoted(`cluster ${fromFrame}`)}`]),
  ];
  const written = options.length === 0 ? "" : ` [${options.join(", ")}]`;
  return `${quoted(from)} -> ${quoted(to)}${written}`;
}

function quoted(text: string): string {
  return `"${visibleLine(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
