/**
 * Numbers frames for front ends. JupyterLab empties its variables behind each expression, and looks at the chosen frame
 * again only where that has a number it does not know: so those of the innermost frame, and of all with it, are new
 * then.
 */

import { startOf } from "./ranged-target.ts";

/** There is room for as many frames, and for as many expressions before numbers begin anew. */
const FRAMES = 1_000_000;
const EXPRESSIONS = 900;

export class FrameNumbers {
  #expressions = 0;
  #innermost: number | undefined;

  /** Frames as targets number them, with the numbers to be shown. */
  shown<T extends { readonly id: number }>(frames: readonly T[]): readonly T[] {
    const shown = frames.map((frame) => ({ ...frame, id: frame.id + this.#expressions * FRAMES }));
    this.#innermost = shown[0]?.id;
    return shown;
  }

  /** The number that a target gave to a frame. */
  given(shown: number): number {
    const start = startOf(shown);
    return start + ((shown - start) % FRAMES);
  }

  /** An expression was evaluated in a frame. Where it is not the innermost one, a new number would make the page choose that. */
  evaluated(shown: number | undefined): void {
    if (shown !== undefined && shown !== this.#innermost) return;
    this.#expressions = (this.#expressions + 1) % EXPRESSIONS;
  }
}
