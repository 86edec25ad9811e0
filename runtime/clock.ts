import type { Cancellation } from "./cancellation.ts";

/** Time as the engine knows it: injected, so that tests and simulations own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `action` once after `delayMs`; the result takes it back. With `background` the process may end before. */
  after(
    delayMs: number,
    action: () => void,
    options?: { readonly background: boolean },
  ): () => void;
  /** Resolves after `ms`, or rejects as soon as it is cancelled. */
  sleep(ms: number, cancellation: Cancellation): Promise<void>;
}

/** What sets timers. */
export type TimerClock = Pick<Clock, "now" | "after">;

/** What waits. */
export type SleepClock = Pick<Clock, "now" | "sleep">;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, action, options) => {
    const due = Date.now() + delayMs;
    let cancel = () => {};
    const wait = () => {
      const timer = setTimeout(
        () => (Date.now() >= due ? action() : wait()),
        Math.min(Math.max(0, due - Date.now()), TIMER_MAX_MS),
      );
      if (options?.background === true) timer.unref();
      cancel = () => clearTimeout(timer);
    };
    wait();
    return () => cancel();
  },
  sleep: (ms, cancellation) =>
    new Promise((resolve, reject) => {
      if (cancellation.isCancelled) return reject(cancellation.reason);
      const forget = cancellation.onCancel(() => {
        cancel();
        reject(cancellation.reason);
      });
      const cancel = systemClock.after(ms, () => {
        forget();
        resolve();
      });
    }),
};

/** Longer waits of `setTimeout` end at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;
