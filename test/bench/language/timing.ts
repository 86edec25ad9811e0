/** How long work takes that is far quicker than the clock's noise, or needs a collected heap to be fair. */

/** Milliseconds of one call, as the mean over many. */
export function meanMs(calls: number, work: () => unknown): number {
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) work();
  return (performance.now() - start) / calls;
}

/** So many measurements, after one that is thrown away since it fills caches and compiles. */
export function repeat(runs: number, measure: () => number): readonly number[] {
  measure();
  return Array.from({ length: runs }, measure);
}
