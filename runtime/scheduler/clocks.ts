/** What spends time, and what stands still. */

/** Its time up to `at` is spent, and no more from then on. */
export function clockedOut<T extends { readonly activeMs: number; readonly runningSince?: number }>(
  of: T,
  at: number,
): T {
  const { runningSince, ...rest } = of;
  const since = runningSince ?? at;
  return { ...(rest as T), activeMs: of.activeMs + Math.max(0, at - since) };
}

/** A node run that is under way spends time, unless it waits for an answer. */
export function clockedIn<T extends { readonly waiting?: readonly string[] }>(run: T, at: number) {
  return isWaiting(run) ? run : { ...run, runningSince: at };
}

export function isWaiting({ waiting }: { readonly waiting?: readonly string[] }): boolean {
  return waiting !== undefined && waiting.length > 0;
}
