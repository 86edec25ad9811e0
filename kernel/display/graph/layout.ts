/** Lays a graph out with Graphviz, once for each graph. */

import type { Graphviz } from "@hpcc-js/wasm-graphviz";
import { type Ir, type NodeIr, printLimit } from "../../../dsl/index.ts";
import { visibleLine } from "../visible.ts";
import { foldRows } from "./fold-rows.ts";
import {
  discardGraphviz,
  GraphvizBroken,
  loadedGraphviz,
  loadGraphviz,
  placesIn,
} from "./graphviz.ts";
import { leastWidth } from "./least-width.ts";
import {
  type Outline,
  type OutlineArrow,
  type OutlineFrame,
  outlineOf,
  type Shape,
} from "./outline.ts";
import { placeInColumn } from "./place-in-column.ts";
import type { Box, DrawnPoint, GraphLayout, PlacedArrow } from "./placed.ts";
import { textWidth, wrapped } from "./text-width.ts";

const layouts = new Map<string, GraphLayout>();

/** The layout of a graph; the same one for the same IR hash. */
export async function layoutGraph(ir: Ir): Promise<GraphLayout> {
  return layouts.get(ir.hash) ?? rememberLayout(ir, await placeOutline(outlineOf(ir), ir.name));
}

/** The same without waiting; nothing where Graphviz is not loaded yet, or has broken over it and `layoutGraph` finds a way. */
export function layoutNow(ir: Ir): GraphLayout | undefined {
  const known = layouts.get(ir.hash);
  const graphviz = loadedGraphviz();
  if (known !== undefined || graphviz === undefined) return known;
  try {
    return rememberLayout(ir, place(outlineOf(ir), { graphviz, name: ir.name }));
  } catch (error) {
    if (!(error instanceof GraphvizBroken)) throw error;
    discardGraphviz(graphviz);
    return undefined;
  }
}

function rememberLayout(ir: Ir, layout: GraphLayout): GraphLayout {
  const [oldest] = layouts.keys();
  if (layouts.size >= KEPT_LAYOUTS && oldest !== undefined) layouts.delete(oldest);
  layouts.set(ir.hash, layout);
  return layout;
}

const KEPT_LAYOUTS = 200;

/**
 * By Graphviz where it can: it reads past its memory over some graphs whose arrows have words between boxes of frames. Then
 * it is asked anew, as it may have been broken before, and then without room for words; at last the graph is one column.
 */
export async function placeOutline(outline: Outline, name: string): Promise<GraphLayout> {
  for (const hasWords of [true, true, false]) {
    const graphviz = await loadGraphviz();
    try {
      return place(outline, { graphviz, name, hasWords });
    } catch (error) {
      if (!(error instanceof GraphvizBroken)) throw error;
      discardGraphviz(graphviz);
    }
  }
  const labelOf = (arrow: OutlineArrow) => ({ lines: labelLines(arrow), size: labelSize(arrow) });
  return placeInColumn(outline, { name, sizeOf, labelOf });
}

/** A graph lies from left to right where a notebook is wide enough for it, in rows or not, else from top to bottom. */
function place(outline: Outline, manner: Omit<LayoutManner, "direction">): GraphLayout {
  if (widthAtLeast(outline) <= ROWS_MAX * PAGE_WIDTH) {
    const wide = placeAlong(outline, { ...manner, direction: "LR" });
    if (wide.width <= PAGE_WIDTH) return wide;
    const rows = foldRows(wide, PAGE_WIDTH);
    if (rows !== undefined) return rows;
  }
  return placeAlong(outline, { ...manner, direction: "TB" });
}

/** A graph of more rows is not laid out from left to right to learn whether it can be folded. */
const ROWS_MAX = 6;
/** The width of a cell beside a file browser, without the margin around a drawing, in pixels. */
const PAGE_WIDTH = 712;
/** Between two boxes that follow each other, half an inch but for what is lost in rounding. */
const ROOM_LEAST = 34;

/** Returns the least width of an outline in pixels, drawn from left to right. */
export function widthAtLeast(outline: Outline): number {
  const widthOf = (shape: Shape) => Math.floor(sizeOf(shape).width);
  return leastWidth(outline, { widthOf, room: ROOM_LEAST });
}

interface LayoutManner {
  readonly graphviz: Graphviz;
  readonly direction: "LR" | "TB";
  readonly name: string;
  /** `false`: words are put on the middle of their arrows, and no room is made for them. */
  readonly hasWords?: boolean;
}

/** Throws `GraphvizBroken`. */
export function placeAlong(
  outline: Outline,
  { graphviz, direction, name, hasWords = true }: LayoutManner,
): GraphLayout {
  const arrows = hasWords ? outline.arrows : outline.arrows.map((one) => ({ ...one, label: "" }));
  const found = placesIn<GraphvizJson>(graphviz, dotOf({ ...outline, arrows }, direction));
  const [, , width = 0, height = 0] = numbers(found.bb ?? "");
  const objects = new Map((found.objects ?? []).map((object) => [object.name, object]));
  const edges = new Map((found.edges ?? []).map((edge) => [edge.id, edge]));
  return {
    graph: name,
    width: round(width),
    height: round(height),
    shapes: outline.shapes.map((shape, index) => ({
      ...shape,
      ...boxAround(pointOf(objects.get(`n${index}`)?.pos, height), sizeOf(shape)),
    })),
    frames: outline.frames.map((frame, index) => ({
      ...frame,
      ...boxOf(objects.get(`cluster_${index}`)?.bb, height),
      ...(direction === "TB" ? { isTitleBelow: true } : {}),
    })),
    arrows: outline.arrows.map((arrow, index) =>
      placedArrow(arrow, edges.get(`e${index}`), height),
    ),
  };
}

/** Of Graphviz's JSON, what is read here. */
interface GraphvizJson {
  readonly bb?: string;
  readonly objects?: readonly {
    readonly name: string;
    readonly pos?: string;
    readonly bb?: string;
  }[];
  readonly edges?: readonly FoundEdge[];
}

interface FoundEdge {
  readonly id: string;
  readonly pos?: string;
  readonly lp?: string;
}

// ── what Graphviz is told ───────────────────────────────────────────────────────────────────────

/** Nothing of the user's text goes in: names are numbers, and texts are empty boxes of their size. */
function dotOf({ shapes, frames, arrows }: Outline, direction: "LR" | "TB"): string {
  const numbersOfShapes = new Map(shapes.map(({ id }, index) => [id, index]));
  const numbersOfFrames = new Map(frames.map(({ id }, index) => [id, index]));
  const inside = (frame: string | undefined): string[] => [
    ...shapes.flatMap((shape, index) => (shape.frame === frame ? [dotShape(shape, index)] : [])),
    ...frames.flatMap((one, index) =>
      one.frame === frame
        ? [
            `subgraph cluster_${index}{margin=14;label=${emptyBox({ width: titleWidth(one), height: 20 })};`,
            ...inside(one.id),
            "}",
          ]
        : [],
    ),
  ];
  const back = direction === "LR" ? "s" : "e";
  const lines = arrows.map((arrow, index) => {
    const label = labelSize(arrow);
    const isBack = arrows.slice(0, index).some((one) => isReverse(one, arrow));
    const attributes = [
      `id=e${index}`,
      // Beside its counterpart the two would look like one line.
      ...(isBack ? [`tailport=${back}`, `headport=${back}`] : []),
      ...(arrow.kind === "message" ? ["constraint=false"] : []),
      ...(label === undefined ? [] : [`label=${emptyBox(label)}`]),
      ...(arrow.fromFrame === undefined
        ? []
        : [`ltail=cluster_${numbersOfFrames.get(arrow.fromFrame)}`]),
    ];
    return `n${numbersOfShapes.get(arrow.from)}->n${numbersOfShapes.get(arrow.to)}[${attributes.join(" ")}]`;
  });
  // From top to bottom an arrow leads into a frame through its top: the title stands at the bottom.
  const space = direction === "LR" ? "nodesep=.3;ranksep=.5" : "nodesep=.4;ranksep=.45;labelloc=b";
  return `digraph{rankdir=${direction};compound=true;${space};labeljust=l;node[shape=box fixedsize=true label=""];${inside(undefined).join("")}${lines.join(";")}}`;
}

function isReverse(one: OutlineArrow, other: OutlineArrow): boolean {
  return one.from === other.to && one.to === other.from && one.from !== one.to;
}

function dotShape(shape: Shape, index: number): string {
  const { width, height } = sizeOf(shape);
  const round = shape.kind === "join" ? " shape=circle" : "";
  return `n${index}[width=${inches(width)} height=${inches(height)}${round}];`;
}

function emptyBox({ width, height }: { readonly width: number; readonly height: number }): string {
  return `<<table border="0" cellborder="0" cellpadding="0" cellspacing="0" fixedsize="true" width="${Math.ceil(width)}" height="${height}"><tr><td></td></tr></table>>`;
}

function inches(pixels: number): string {
  return (pixels / 72).toFixed(4);
}

// ── sizes ───────────────────────────────────────────────────────────────────────────────────────

export const NAME_SIZE = 13;
export const SMALL_SIZE = 11;
export const NODE_WIDTH_MAX = 280;
const NODE_HEIGHT = 62;
/** The line of approvals and limits. */
export const BOUNDS_HEIGHT = 16;
const LABEL_ROOM = 170;
const LABEL_LINES = 3;
export const LABEL_LINE_HEIGHT = 14;

/**
 * Returns the size of a shape, with room for the texts of a run below the name, so that its drawing
 * never moves.
 */
function sizeOf(shape: Shape): { readonly width: number; readonly height: number } {
  switch (shape.kind) {
    case "node":
      return {
        width: nodeWidth(shape.node),
        height: boundsOf(shape.node) === "" ? NODE_HEIGHT : NODE_HEIGHT + BOUNDS_HEIGHT,
      };
    case "join":
      return { width: Math.max(30, textWidth(shape.text, SMALL_SIZE) + 14), height: 30 };
    case "start":
    case "end":
    case "return":
      return { width: 56, height: 30 };
  }
}

function nodeWidth(node: NodeIr): number {
  const name = textWidth(nameOf(node), NAME_SIZE, { bold: true }) + 64;
  const kind = textWidth(kindOf(node), SMALL_SIZE) + 50;
  const bounds = textWidth(boundsOf(node), SMALL_SIZE) + 20;
  return Math.round(Math.min(NODE_WIDTH_MAX, Math.max(176, name, kind, bounds)));
}

/** `approve before · limit 1m, 20 turns`; empty for a node without approvals and limits. */
export function boundsOf({ approvals, limit }: NodeIr): string {
  const asked = approvals.map(({ when, tools }) =>
    when === "tool" ? tools.map((tool) => tool.join(".")).join(", ") || "*" : when,
  );
  return visibleLine(
    [
      ...(asked.length === 0 ? [] : [`approve ${asked.join(", ")}`]),
      ...(limit === undefined ? [] : [printLimit(limit)]),
    ].join(" · "),
  );
}

/** `search(task)`. */
export function nameOf({ name, params }: NodeIr): string {
  return params.length === 0 ? name : `${name}(${params.map((param) => param.name).join(", ")})`;
}

/** Returns the label of a node's kind: `agent · smart`, `run docs.verify`. */
export function kindOf({ kind, model, call, controller }: NodeIr): string {
  if (call !== undefined) return visibleLine(`${kind} · ${call.callee.join(".")}`);
  if (controller !== undefined) return visibleLine(`${kind} · ${controller.name.join(".")}`);
  return model?.kind === "name" ? visibleLine(`${kind} · ${model.name}`) : kind;
}

function titleWidth({ title }: OutlineFrame): number {
  return Math.min(420, textWidth(visibleLine(title), SMALL_SIZE)) + 12;
}

function labelLines({ label }: OutlineArrow): readonly string[] {
  if (label === "") return [];
  return wrapped(visibleLine(label), { room: LABEL_ROOM, size: SMALL_SIZE, linesMax: LABEL_LINES });
}

function labelSize(
  arrow: OutlineArrow,
): { readonly width: number; readonly height: number } | undefined {
  const lines = labelLines(arrow);
  if (lines.length === 0) return undefined;
  const width = Math.max(...lines.map((line) => textWidth(line, SMALL_SIZE))) + 12;
  return { width, height: lines.length * LABEL_LINE_HEIGHT + 4 };
}

// ── what Graphviz says ──────────────────────────────────────────────────────────────────────────

function placedArrow(
  arrow: OutlineArrow,
  edge: FoundEdge | undefined,
  height: number,
): PlacedArrow {
  const [end = "", ...between] = (edge?.pos ?? "e,0,0 0,0").split(" ");
  const to = pointOf(end.replace(/^e,/, ""), height);
  const [first = to, ...curve] = between.map((pair) => pointOf(pair, height));
  const size = labelSize(arrow);
  const middle =
    edge?.lp === undefined ? (curve[curve.length >> 1] ?? first) : pointOf(edge.lp, height);
  const path = `M${pair(first)}C${curve.map(pair).join(" ")}`;
  return {
    ...arrow,
    path,
    head: { from: curve.at(-1) ?? first, to },
    lines: labelLines(arrow),
    ...(size === undefined ? {} : { labelBox: boxAround(middle, size) }),
  };
}

function pair({ x, y }: DrawnPoint): string {
  return `${x},${y}`;
}

/** Graphviz counts from the lower left corner. */
function pointOf(text: string | undefined, height: number): DrawnPoint {
  const [x = 0, y = 0] = numbers(text ?? "");
  return { x: round(x), y: round(height - y) };
}

function boxAround(
  { x, y }: DrawnPoint,
  { width, height }: { readonly width: number; readonly height: number },
): Box {
  return {
    x: round(x - width / 2),
    y: round(y - height / 2),
    width: round(width),
    height: round(height),
  };
}

function boxOf(text: string | undefined, height: number): Box {
  const [left = 0, bottom = 0, right = 0, top = 0] = numbers(text ?? "");
  return {
    x: round(left),
    y: round(height - top),
    width: round(right - left),
    height: round(top - bottom),
  };
}

function numbers(text: string): readonly number[] {
  return text.split(",").map(Number);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
