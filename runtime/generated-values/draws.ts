/** Numbers that decide what is generated: drawn by chance and kept, so that the same ones, or smaller ones, can be drawn again. */

/** Draws whole numbers; 0 always stands for what is simplest. */
export interface Draws {
  /** A number from 0 to `max`. */
  draw(max: number): number;
}

/** Draws that keep what they drew. */
export interface KeptDraws extends Draws {
  readonly drawn: readonly number[];
}

/** Draws `first`, as far as they reach, and then from `source`, which gives numbers from 0 to below 1. */
export function drawsOf(first: readonly number[], source: () => number = () => 0): KeptDraws {
  const drawn: number[] = [];
  return {
    drawn,
    draw: (max) => {
      const wanted = first[drawn.length] ?? Math.floor(source() * (max + 1));
      const next = Math.max(0, Math.min(max, wanted));
      drawn.push(next);
      return next;
    },
  };
}

/** Runs of draws that are smaller than these: shorter ones first, then those with smaller numbers. */
export function* smallerDraws(drawn: readonly number[]): Generator<readonly number[]> {
  for (const size of [16, 8, 4, 3, 2, 1])
    for (let at = drawn.length - size; at >= 0; at -= 1)
      yield [...drawn.slice(0, at), ...drawn.slice(at + size)];
  for (const [at, value] of drawn.entries()) {
    const smaller = new Set([0, value >> 1, value - 1]);
    for (const next of smaller) if (next >= 0 && next < value) yield drawn.with(at, next);
  }
}

/** Tells whether draws are smaller: fewer of them or, of as many, the first that differs. */
export function isSmaller(drawn: readonly number[], than: readonly number[]): boolean {
  if (drawn.length !== than.length) return drawn.length < than.length;
  const at = drawn.findIndex((value, index) => value !== than[index]);
  return at >= 0 && (drawn[at] ?? 0) < (than[at] ?? 0);
}
