/** Places a graph as one column of boxes where Graphviz fails on it. */

import type { Outline, OutlineArrow, Shape } from "./outline.ts";
import type { GraphLayout, PlacedArrow, PlacedShape } from "./placed.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface ColumnSizes {
  readonly name: string;
  sizeOf(shape: Shape): Size;
  labelOf(arrow: OutlineArrow): {
    readonly lines: readonly string[];
    readonly size?: Size | undefined;
  };
}

const GAP = 34;
const PADDING = 14;
const TITLE_HEIGHT = 26;
/** The distance that an arrow bends out of the column for each box that it passes, in pixels. */
const BEND = 26;
const BEND_MAX = 300;

export function placeInColumn(outline: Outline, sizes: ColumnSizes): GraphLayout {
  const column = columnOf(outline, sizes);
  const indexes = new Map(column.shapes.map(({ id }, index) => [id, index]));
  const right = column.left + column.width;
  const arrows = outline.arrows.flatMap((arrow) => {
    const [from, to] = [indexes.get(arrow.from) ?? -1, indexes.get(arrow.to) ?? -1];
    const [begin, end] = [column.shapes[from], column.shapes[to]];
    if (begin === undefined || end === undefined) return [];
    const bend = Math.min(BEND_MAX, BEND * (1 + Math.abs(to - from)));
    return [besideColumn(arrow, { begin, end, bend, sizes })];
  });
  const rights = arrows.flatMap(({ head, labelBox }) => [
    head.from.x,
    labelBox === undefined ? 0 : labelBox.x + labelBox.width,
  ]);
  return {
    graph: sizes.name,
    width: Math.max(right + column.left, ...rights),
    height: column.height,
    shapes: column.shapes,
    frames: column.frames,
    arrows,
  };
}

interface BoxColumn {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  /** From top to bottom. */
  readonly shapes: readonly PlacedShape[];
  readonly frames: GraphLayout["frames"];
}

/** Places shapes in a column; the shapes in a frame stand together, below those outside of it. */
function columnOf({ shapes, frames }: Outline, { sizeOf }: ColumnSizes): BoxColumn {
  const depthMax = frames.length;
  const left = depthMax * PADDING;
  const width = Math.max(0, ...shapes.map((shape) => sizeOf(shape).width));
  const placed: PlacedShape[] = [];
  const boxes: GraphLayout["frames"][number][] = [];
  const fill = (frame: string | undefined, depth: number, top: number): number => {
    let y = top;
    for (const shape of shapes.filter((one) => one.frame === frame)) {
      const size = sizeOf(shape);
      placed.push({ ...shape, ...size, x: left + (width - size.width) / 2, y });
      y += size.height + GAP;
    }
    for (const inner of frames.filter((one) => one.frame === frame)) {
      const inset = PADDING * (depth + 1);
      const bottom = fill(inner.id, depth + 1, y + TITLE_HEIGHT) - GAP + PADDING;
      const x = inset - PADDING;
      boxes.push({ ...inner, x, y, width: width + 2 * (left - x), height: bottom - y });
      y = bottom + GAP;
    }
    return y;
  };
  const height = Math.max(0, fill(undefined, 0, 0) - GAP);
  return { left, width, height, shapes: placed, frames: boxes };
}

interface ArrowEnds {
  readonly begin: PlacedShape;
  readonly end: PlacedShape;
  readonly bend: number;
  readonly sizes: ColumnSizes;
}

/** Out of the lower half of one box and into the upper half of the other, on their right. */
function besideColumn(arrow: OutlineArrow, { begin, end, bend, sizes }: ArrowEnds): PlacedArrow {
  const from = { x: begin.x + begin.width, y: begin.y + begin.height * 0.7 };
  const to = { x: end.x + end.width, y: end.y + end.height * 0.3 };
  const far = Math.max(from.x, to.x) + bend;
  const { lines, size } = sizes.labelOf(arrow);
  // The middle of the curve stands out three quarters of what it is bent by.
  const middle = { x: (from.x + to.x) / 8 + far * 0.75, y: (from.y + to.y) / 2 };
  const box = size && { x: middle.x + 2, y: middle.y - size.height / 2, ...size };
  return {
    ...arrow,
    path: `M${from.x},${from.y}C${far},${from.y} ${far},${to.y} ${to.x},${to.y}`,
    head: { from: { x: far, y: to.y }, to },
    lines,
    ...(box === undefined ? {} : { labelBox: box }),
  };
}
