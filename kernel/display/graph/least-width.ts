/** Computes the least width of a graph from left to right, without laying it out. */
import type { Outline, OutlineArrow, Shape } from "./outline.ts";

/** The boxes of the longest way from the first one, and the room between each two of them. */
export function leastWidth(
  { shapes, arrows }: Outline,
  of: { readonly widthOf: (shape: Shape) => number; readonly room: number },
): number {
  const [start] = shapes;
  if (start === undefined || start.frame !== undefined) return 0;
  // Graphviz ranks the boxes of a frame by themselves; arrows into it and out of it may lead back.
  const free = new Map(
    shapes.flatMap((shape) => (shape.frame === undefined ? [[shape.id, shape] as const] : [])),
  );
  const next = Map.groupBy(
    arrows.filter(({ from, to, kind }) => kind !== "message" && free.has(from) && free.has(to)),
    ({ from }) => from,
  );
  const widths = new Map<string, number>();
  const onTheWay = new Set<string>();
  const way: WidthStop[] = [];
  const go = ({ id }: Shape) => {
    onTheWay.add(id);
    way.push({ id, next: (next.get(id) ?? [])[Symbol.iterator](), behind: 0 });
  };
  go(start);
  for (let stop = way.at(-1); stop !== undefined; stop = way.at(-1)) {
    const { done, value: arrow } = stop.next.next();
    const shape = free.get(done === true ? stop.id : arrow.to);
    if (shape === undefined) break;
    const width = widths.get(shape.id);
    if (done === true) {
      widths.set(shape.id, stop.behind + of.widthOf(shape));
      onTheWay.delete(shape.id);
      way.pop();
      const before = way.at(-1);
      if (before !== undefined) wider(before, (widths.get(shape.id) ?? 0) + of.room);
    } else if (width !== undefined) wider(stop, width + of.room);
    // As in Graphviz, an arrow to a box on the path to here leads back, and is laid out in reverse.
    else if (!onTheWay.has(shape.id)) go(shape);
  }
  return widths.get(start.id) ?? 0;
}

/** A box on the way from the first one, with what has been seen of what follows it. */
interface WidthStop {
  readonly id: string;
  readonly next: Iterator<OutlineArrow, undefined>;
  behind: number;
}

function wider(stop: WidthStop, behind: number): void {
  stop.behind = Math.max(stop.behind, behind);
}
