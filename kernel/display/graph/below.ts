/** Puts the layouts of called graphs below that of their caller, each in a frame of its own. */
import { movedArrow } from "./fold-rows.ts";
import type { GraphLayout } from "./placed.ts";

/** A graph below another one. */
export interface LayoutBelow {
  /** The node that calls it: its nodes are drawn as those of `go/`. */
  readonly within: string;
  readonly title: string;
  readonly layout: GraphLayout;
}

const GAP = 18;
const PADDING = 12;
const TITLE = 26;
const WIDTH_MIN = 240;

export function withBelow(layout: GraphLayout, parts: readonly LayoutBelow[]): GraphLayout {
  return parts.reduce((above, part) => addBelow(above, part), layout);
}

function addBelow(above: GraphLayout, { within, title, layout }: LayoutBelow): GraphLayout {
  const top = above.height + GAP;
  const by = { x: PADDING, y: top + TITLE };
  const width = Math.max(WIDTH_MIN, layout.width + 2 * PADDING);
  const height = TITLE + layout.height + PADDING;
  const moved = <B extends { readonly x: number; readonly y: number }>(box: B): B => ({
    ...box,
    ...{ x: box.x + by.x, y: box.y + by.y },
  });
  const frame = { id: `below ${within}`, each: within, title, x: 0, y: top, width, height };
  return {
    graph: above.graph,
    width: Math.max(above.width, width),
    height: top + height,
    shapes: [...above.shapes, ...layout.shapes.map((shape) => ({ ...moved(shape), within }))],
    frames: [...above.frames, frame, ...layout.frames.map(moved)],
    arrows: [...above.arrows, ...layout.arrows.map((arrow) => movedArrow(arrow, by))],
  };
}
