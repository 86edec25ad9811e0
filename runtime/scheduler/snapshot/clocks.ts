/** Starts and stops the clocks of a run and its node runs. */

interface Clocked {
  readonly activeMs: number;
  readonly runningSince?: number | undefined;
}

/** Its time up to `at` is spent, and no more from then on. */
export function clockedOut<T extends Clocked>(of: T, at: number): T {
  return { ...of, activeMs: activeAt(of, at), runningSince: undefined };
}

/** The time that something has spent up to `at`. */
export function activeAt({ activeMs, runningSince }: Clocked, at: number): number {
  return activeMs + Math.max(0, at - (runningSince ?? at));
}

/** A node run that is under way spends time, unless it waits for an answer. */
export function clockedIn<T extends Waiting>(run: T, at: number) {
  return isWaiting(run) || run.isHeld === true ? run : { ...run, runningSince: at };
}

interface Waiting {
  readonly isHeld?: true | undefined;
  readonly waiting?: readonly string[] | undefined;
}

export function isWaiting({ waiting }: Waiting): boolean {
  return waiting !== undefined && waiting.length > 0;
}
