/** Declares the types of a drawing whose shapes and arrows have their places. */
import type { OutlineArrow, OutlineFrame, Shape } from "./outline.ts";

/** In pixels, from the upper left corner. */
export interface GraphLayout {
  readonly graph: string;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly PlacedShape[];
  readonly frames: readonly PlacedFrame[];
  readonly arrows: readonly PlacedArrow[];
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** `within` is the node that calls the graph of the shape, where that is drawn below another one. */
export type PlacedShape = Shape & Box & { readonly within?: string };

/** Its title stands in its upper left corner, or in the lower one. */
export type PlacedFrame = OutlineFrame & Box & { readonly isTitleBelow?: boolean };

export interface PlacedArrow extends OutlineArrow {
  /** A path of cubic curves, as SVG writes it. */
  readonly path: string;
  /** The direction of its head, by two points. */
  readonly head: { readonly from: DrawnPoint; readonly to: DrawnPoint };
  readonly lines: readonly string[];
  readonly labelBox?: Box;
}

export interface DrawnPoint {
  readonly x: number;
  readonly y: number;
}
