/** Finds the ranges of a text around one of its places. */
import type { Span } from "../../../../dsl/index.ts";

/** Ranges in the order of their starts, outer ones first, each with the place of the one around it. */
interface NestedRanges {
  readonly inOrder: readonly Span[];
  readonly outer: readonly number[];
}

const NONE = -1;

// A program of thousands of nodes has as many ranges, and is asked for as many places.
const known = new WeakMap<readonly Span[], NestedRanges>();

/**
 * Returns the ranges of a list that hold all from `start` to `end`, inner ones first. Two ranges lie within each other or
 * apart; of two equal ones the inner is listed first. The list never changes.
 */
export function rangesAround<T extends Span>(
  ranges: readonly T[],
  start: number,
  end: number,
): readonly T[] {
  // An empty range is also held by what ends there, beside what begins there.
  if (start === end) return ranges.filter((one) => one.start <= start && one.end >= end);
  const nested = known.get(ranges) ?? nest(ranges);
  known.set(ranges, nested);
  const { inOrder, outer } = nested;
  const found: T[] = [];
  for (let at = lastBefore(inOrder, start); at !== NONE; at = outer[at] ?? NONE) {
    const range = inOrder[at] as T | undefined;
    if (range !== undefined && range.end >= end) found.push(range);
  }
  return found;
}

function nest(ranges: readonly Span[]): NestedRanges {
  const inOrder = ranges.toReversed().sort((a, b) => a.start - b.start || b.end - a.end);
  const around: number[] = [];
  const outer = inOrder.map(({ end }, at) => {
    while (around.length > 0 && (inOrder[around.at(-1) ?? NONE]?.end ?? 0) < end) around.pop();
    const found = around.at(-1) ?? NONE;
    around.push(at);
    return found;
  });
  return { inOrder, outer };
}

/** Returns the place of the last range that starts at `start` or before. */
function lastBefore(inOrder: readonly Span[], start: number): number {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((inOrder[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
