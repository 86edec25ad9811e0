/** Time as the engine knows it: injected, so that tests and simulations own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once, when `due` is reached; the returned function takes it back. */
  at(due: number, call: () => void): () => void;
}

/** Timers hold the process only as long as the run they belong to does. */
export const systemClock: Clock = {
  now: () => Date.now(),
  at: (due, call) => {
    const wait = Math.min(Math.max(0, due - Date.now()), TIMER_MAX_MS);
    let cancel = () => {};
    const timer = setTimeout(() => {
      if (Date.now() >= due) call();
      else cancel = systemClock.at(due, call);
    }, wait);
    return () => {
      clearTimeout(timer);
      cancel();
    };
  },
};

/** Longer waits of `setTimeout` end at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;
