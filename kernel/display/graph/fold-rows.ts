/** Folds a graph that lies from left to right into rows, as a text is: for one that is too wide for a page. */
import type { Box, DrawnPoint, GraphLayout, PlacedArrow, PlacedShape } from "./placed.ts";

/** On both sides of the rows, for the arrows from one to the next. */
const SIDE = 24;
const GUTTER = 26;
/** Between two arrows that turn from one row to the next. */
const TRACK = 7;
const TRACKS_MAX = 4;
const RADIUS = 8;
/** The length of an arrow's head, which begins where its path ends. */
const HEAD = 10;

/** A part of the graph between two of its gaps, which stays in one piece. */
interface FoldedRow {
  readonly left: number;
  right: number;
}

/** Undefined where an arrow would cross boxes, or lead further than from one row to the next. */
export function foldRows(layout: GraphLayout, widthMax: number): GraphLayout | undefined {
  const rows = rowsOf(layout, widthMax - 2 * SIDE);
  if (rows === undefined) return undefined;
  const rowOf = ({ x }: Box) => rows.findIndex(({ left, right }) => left <= x && x < right);
  const byId = new Map(layout.shapes.map((shape) => [shape.id, shape]));
  const turning: Turning[] = [];
  for (const arrow of layout.arrows) {
    const [source, target] = [sourceOf(arrow, layout, byId), byId.get(arrow.to)];
    if (source === undefined || target === undefined) return undefined;
    const [from, to] = [rowOf(source), rowOf(target)];
    if (from === to) continue;
    const turn = { arrow, source, target, upper: Math.min(from, to), isForth: to > from };
    if (Math.abs(from - to) > 1 || !isClear(turn, { layout, rowOf })) return undefined;
    turning.push(turn);
  }
  const gutters = rows.map((_, row) => turning.filter(({ upper }) => upper === row));
  if (gutters.some(({ length }) => length > TRACKS_MAX)) return undefined;
  return placedRows(layout, { rows, rowOf, gutters });
}

/** As many parts of the graph to a row as fit; a part that does not fit by itself can't be folded. */
function rowsOf(
  { shapes, frames }: GraphLayout,
  widthMax: number,
): readonly FoldedRow[] | undefined {
  const boxes = [...shapes, ...frames].toSorted((one, other) => one.x - other.x);
  const parts: FoldedRow[] = [];
  for (const { x, width } of boxes) {
    const last = parts.at(-1);
    if (last !== undefined && x < last.right) last.right = Math.max(last.right, x + width);
    else parts.push({ left: x, right: x + width });
  }
  const rows: FoldedRow[] = [];
  for (const part of parts) {
    if (part.right - part.left > widthMax) return undefined;
    const last = rows.at(-1);
    if (last !== undefined && part.right - last.left <= widthMax) last.right = part.right;
    else rows.push({ ...part });
  }
  return rows;
}

/** An arrow from a row to the next, or back to the one before. */
interface Turning {
  readonly arrow: PlacedArrow;
  readonly source: Box;
  readonly target: PlacedShape;
  /** The row above the gutter that it goes through. */
  readonly upper: number;
  readonly isForth: boolean;
}

function sourceOf(
  { from, fromFrame }: PlacedArrow,
  { frames }: GraphLayout,
  byId: ReadonlyMap<string, PlacedShape>,
): Box | undefined {
  return fromFrame === undefined ? byId.get(from) : frames.find(({ id }) => id === fromFrame);
}

interface FoldedBoxes {
  readonly layout: GraphLayout;
  readonly rowOf: (box: Box) => number;
}

/** Forth: nothing to the right of its source, nor to the left of its target. Back: nothing between them and the gutter. */
function isClear({ source, target, isForth }: Turning, { layout, rowOf }: FoldedBoxes): boolean {
  const inRowOf = (box: Box) => layout.shapes.filter((other) => rowOf(other) === rowOf(box));
  const isAt = (other: Box, y: number) => other.y <= y && y <= other.y + other.height;
  const isOver = (other: Box, x: number) => other.x <= x && x <= other.x + other.width;
  const [begin, end] = [middleOf(source), middleOf(target)];
  return isForth
    ? !inRowOf(source).some(
        (other) => isAt(other, begin.y) && other.x >= source.x + source.width,
      ) && !inRowOf(target).some((other) => isAt(other, end.y) && other.x + other.width <= target.x)
    : !inRowOf(source).some((other) => isOver(other, begin.x) && other.y < source.y) &&
        !inRowOf(target).some((other) => isOver(other, end.x) && other.y > target.y);
}

interface RowFolding extends Omit<FoldedBoxes, "layout"> {
  readonly rows: readonly FoldedRow[];
  /** The arrows that turn below each row. */
  readonly gutters: readonly (readonly Turning[])[];
}

function placedRows(layout: GraphLayout, { rows, rowOf, gutters }: RowFolding): GraphLayout {
  const heights = gutters.map((turning) => turning.map(trackHeight));
  const gutterOf = (row: number) =>
    GUTTER + (heights[row] ?? []).reduce((sum, height) => sum + height, 0);
  const extents = rows.map((_, row) => extentOf(layout, { row, rowOf, gutters }));
  const heightOf = (row: number) => {
    const { top = 0, bottom = 0 } = extents[row] ?? {};
    return bottom - top;
  };
  const topOf = (row: number): number =>
    rows.slice(0, row).reduce((top, _, before) => top + heightOf(before) + gutterOf(before), 0);
  const shiftOf = (row: number): DrawnPoint => ({
    x: SIDE - (rows[row]?.left ?? 0),
    y: topOf(row) - (extents[row]?.top ?? 0),
  });
  const moved = <B extends Box>(box: B, row: number): B => {
    const by = shiftOf(row);
    return { ...box, x: round(box.x + by.x), y: round(box.y + by.y) };
  };
  const right = Math.max(...rows.map((row) => row.right - row.left)) + SIDE;
  const turned = new Map<PlacedArrow, PlacedArrow>();
  for (const [row, turning] of gutters.entries()) {
    let y = topOf(row) + heightOf(row) + GUTTER / 2;
    for (const [track, { arrow, source, target, isForth }] of turning.entries()) {
      const height = heights[row]?.[track] ?? TRACK;
      const across = round(y + height / 2);
      const begin = moved(source, isForth ? row : row + 1);
      const end = moved(target, isForth ? row + 1 : row);
      const out = track * TRACK;
      const sides = { left: SIDE / 2 - out / 2, right: round(right + SIDE / 2 + out / 2) };
      const points = isForth
        ? forth(begin, end, { across, sides })
        : back(begin, end, { across, aside: out });
      turned.set(arrow, { ...arrow, ...drawnAlong(points), ...labelAt(arrow, points, across) });
      y += height;
    }
  }
  return {
    ...layout,
    width: round(right + SIDE),
    height: round(topOf(rows.length - 1) + heightOf(rows.length - 1)),
    shapes: layout.shapes.map((shape) => moved(shape, rowOf(shape))),
    frames: layout.frames.map((frame) => moved(frame, rowOf(frame))),
    arrows: layout.arrows.map((arrow) => {
      const other = turned.get(arrow);
      if (other !== undefined) return other;
      const row = rowOf(layout.shapes.find(({ id }) => id === arrow.to) ?? NOWHERE);
      return movedArrow(arrow, shiftOf(row));
    }),
  };
}

/** From the upper edge of what stands in a row to the lower one, with the arrows that stay in it. */
function extentOf(
  { shapes, frames, arrows }: GraphLayout,
  { row, rowOf, gutters }: Omit<RowFolding, "rows"> & { readonly row: number },
): { readonly top: number; readonly bottom: number } {
  const turning = new Set(gutters.flatMap((turns) => turns.map(({ arrow }) => arrow)));
  const boxes = [...shapes, ...frames].filter((box) => rowOf(box) === row);
  const ids = new Set(shapes.filter((shape) => rowOf(shape) === row).map(({ id }) => id));
  const staying = arrows.filter((arrow) => ids.has(arrow.to) && !turning.has(arrow));
  const labels = staying.flatMap(({ labelBox }) => labelBox ?? []);
  // A curve lies between its points.
  const heights = staying.flatMap(({ path }) =>
    Array.from(path.matchAll(/,(-?[\d.]+)/g), ([, y]) => Number(y)),
  );
  const edges = [...boxes, ...labels].flatMap(({ y, height }) => [y, y + height]);
  const all = [...heights, ...edges];
  return { top: Math.min(...all), bottom: Math.max(...all) };
}

const NOWHERE: Box = { x: 0, y: 0, width: 0, height: 0 };

function trackHeight({ arrow }: Turning): number {
  return Math.max(TRACK, (arrow.labelBox?.height ?? 0) + 2);
}

interface TurningSides {
  readonly across: number;
  readonly sides: { readonly left: number; readonly right: number };
}

/** Out of the right side, down, back to the left between the rows, down, and into the left side. */
function forth(begin: Box, end: Box, { across, sides }: TurningSides): readonly DrawnPoint[] {
  const [from, to] = [middleOf(begin).y, middleOf(end).y];
  return [
    { x: begin.x + begin.width, y: from },
    { x: sides.right, y: from },
    { x: sides.right, y: across },
    { x: sides.left, y: across },
    { x: sides.left, y: to },
    { x: end.x, y: to },
  ];
}

/** Out of the top, across between the rows, and into the bottom. */
function back(
  begin: Box,
  end: Box,
  { across, aside }: { readonly across: number; readonly aside: number },
): readonly DrawnPoint[] {
  const [from, to] = [middleOf(begin).x + aside, middleOf(end).x + aside];
  return [
    { x: from, y: begin.y },
    { x: from, y: across },
    { x: to, y: across },
    { x: to, y: end.y + end.height },
  ];
}

function middleOf({ x, y, width, height }: Box): DrawnPoint {
  return { x: round(x + width / 2), y: round(y + height / 2) };
}

/** On the middle of the longest way, which is the one between the rows. */
function labelAt(
  { labelBox }: PlacedArrow,
  points: readonly DrawnPoint[],
  across: number,
): { readonly labelBox?: Box } {
  if (labelBox === undefined) return {};
  const between = points.filter(({ y }) => y === across);
  const middle = between.reduce((sum, { x }) => sum + x, 0) / Math.max(1, between.length);
  const { width, height } = labelBox;
  const [x, y] = [round(middle - width / 2), round(across - height / 2)];
  return { labelBox: { x, y, width, height } };
}

/** A path along the points with rounded corners, and its head. */
function drawnAlong(points: readonly DrawnPoint[]): Pick<PlacedArrow, "path" | "head"> {
  const [start = NOWHERE, ...others] = points;
  const to = others.at(-1) ?? start;
  const from = towards(to, others.at(-2) ?? start, HEAD);
  const curve: DrawnPoint[] = [];
  let at: DrawnPoint = start;
  for (const [index, point] of others.entries()) {
    const next = others[index + 1];
    const end = next === undefined ? from : towards(point, at, RADIUS);
    curve.push(at, end, end);
    if (next === undefined) break;
    at = towards(point, next, RADIUS);
    curve.push(point, point, at);
  }
  const pairs = curve.map(({ x, y }) => `${round(x)},${round(y)}`);
  return { path: `M${round(start.x)},${round(start.y)}C${pairs.join(" ")}`, head: { from, to } };
}

/** The point that lies so far from one on the way to another. */
function towards(from: DrawnPoint, to: DrawnPoint, length: number): DrawnPoint {
  const whole = Math.hypot(to.x - from.x, to.y - from.y);
  const part = whole === 0 ? 0 : Math.min(length, whole / 2) / whole;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

export function movedArrow(arrow: PlacedArrow, by: DrawnPoint): PlacedArrow {
  const move = ({ x, y }: DrawnPoint) => ({ x: round(x + by.x), y: round(y + by.y) });
  const path = arrow.path.replaceAll(/(-?[\d.]+),(-?[\d.]+)/g, (_, x: string, y: string) => {
    const point = move({ x: Number(x), y: Number(y) });
    return `${point.x},${point.y}`;
  });
  const { head, labelBox } = arrow;
  return {
    ...arrow,
    path,
    head: { from: move(head.from), to: move(head.to) },
    ...(labelBox === undefined ? {} : { labelBox: { ...labelBox, ...move(labelBox) } }),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
