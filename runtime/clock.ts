/** Gives the engine its time: a clock that tests and simulations can replace. */
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

/** A clock that sets timers. */
export type TimerClock = Pick<Clock, "now" | "after">;

/** A clock that can sleep. */
export type SleepClock = Pick<Clock, "now" | "sleep">;

/**
 * A clock that is never behind what it has said: one that is set back goes on from there. One that is set forward, or that
 * has slept, is followed.
 */
export function steady(wall: () => number): () => number {
  let aheadMs = 0;
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const at = wall() + aheadMs;
    if (at < last) {
      aheadMs += last - at;
      return last;
    }
    last = at;
    return at;
  };
}

const now = steady(() => Date.now());

/** The machine's own clock; within a process it is never set back. */
export const systemClock: Clock = {
  now,
  after: (delayMs, action, options) => {
    const due = now() + delayMs;
    let cancel = () => {};
    const wait = () => {
      const timer = setTimeout(
        () => (now() >= due ? action() : wait()),
        Math.min(Math.max(0, due - now()), TIMER_MAX_MS),
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

/** The longest wait of `setTimeout`, in milliseconds, 24 days: a longer one ends at once. */
export const TIMER_MAX_MS = 2 ** 31 - 1;
