/** Measures two sides in turn, so that whatever else the machine does falls on both. */
import type { Tell } from "./suite.ts";

export interface Sides<T> {
  readonly ours: T;
  readonly base: T;
}

export interface AlternateOptions {
  readonly runs: number;
  readonly tell: Tell;
}

/** Ours, base, ours, base …; the first round of both is thrown away, since it fills caches. */
export async function alternate<T>(
  measure: Sides<() => Promise<T>>,
  { runs, tell }: AlternateOptions,
): Promise<Sides<readonly T[]>> {
  const ours: T[] = [];
  const base: T[] = [];
  for (let round = 0; round <= runs; round += 1) {
    tell(round === 0 ? "bench: warming up" : `bench: run ${round} of ${runs}`);
    ours.push(await measure.ours());
    base.push(await measure.base());
  }
  return { ours: ours.slice(1), base: base.slice(1) };
}
