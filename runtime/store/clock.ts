/** The time the store sees; tests hand in one that they move by hand. */
export interface StoreClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `action` once after `delayMs`; the result cancels it. With `background` the process may end before. */
  after(delayMs: number, action: () => void, options?: { background: boolean }): () => void;
}

/** The machine's own time. */
export const systemClock: StoreClock = {
  now: () => Date.now(),
  after(delayMs, action, options = { background: false }) {
    const timer = setTimeout(action, delayMs);
    if (options.background) timer.unref();
    return () => clearTimeout(timer);
  },
};
