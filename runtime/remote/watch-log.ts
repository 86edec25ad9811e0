/** Watches a log that another process writes, until there is nothing more to come. */
import type { Clock } from "../clock.ts";

export interface Watch {
  /** From now on, the process lives as long as there is something to come. */
  keepAlive(): void;
  stop(): void;
}

/** Often enough for people who look at a drawing, and nothing for SQLite. */
const LOOK_MS = 250;
/** A locked database is no reason to give up; one that stays so for 5 s is. */
const FAILURES_MAX = 20;

/** Calls `look` until it says that this was all; `failed` is told why nothing could be seen. */
export function watchLog(
  clock: Pick<Clock, "after">,
  { look, failed }: { readonly look: () => boolean; readonly failed: (error: unknown) => void },
): Watch {
  let isAwaited = false;
  let isStopped = false;
  let failures = 0;
  let cancel = later();
  return {
    keepAlive() {
      if (isAwaited) return;
      isAwaited = true;
      cancel();
      cancel = later();
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };

  function later(): () => void {
    return clock.after(LOOK_MS, lookOnce, { background: !isAwaited });
  }

  function lookOnce(): void {
    const goesOn = seesMore();
    // Whoever was told what was seen may have gone on with the run, or may have had the next look set.
    cancel();
    if (goesOn && !isStopped) cancel = later();
  }

  function seesMore(): boolean {
    try {
      const goesOn = look();
      failures = 0;
      return goesOn;
    } catch (error) {
      failures += 1;
      if (failures > FAILURES_MAX) failed(error);
      return failures <= FAILURES_MAX;
    }
  }
}
