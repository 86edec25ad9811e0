/** Keeps calls to a provider back while it asks for a pause. */
import type { Cancellation } from "../../cancellation.ts";
import type { SleepClock } from "../../clock.ts";

/** Keeps calls to one provider back while it asks for a pause. One for all performers of a process. */
export interface Limiter {
  /** Resolves as soon as `provider` may be called; nothing to wait for when it asked for nothing. */
  ready(provider: string, cancellation: Cancellation): Promise<void> | undefined;
  /** Nobody calls `provider` before `until` (milliseconds since the epoch); the latest wish wins. */
  hold(provider: string, until: number): void;
}

/** A limiter on `clock`. */
export function createLimiter(clock: SleepClock): Limiter {
  const held = new Map<string, number>();
  return {
    hold(provider, until) {
      held.set(provider, Math.max(until, held.get(provider) ?? 0));
    },
    ready(provider, cancellation) {
      return held.has(provider) ? wait(provider, cancellation) : undefined;
    },
  };

  async function wait(provider: string, cancellation: Cancellation): Promise<void> {
    // While one waits another may hear of a longer pause, so it looks again.
    for (;;) {
      const waitMs = (held.get(provider) ?? 0) - clock.now();
      if (waitMs <= 0) return;
      await clock.sleep(waitMs, cancellation);
    }
  }
}
