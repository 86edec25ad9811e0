/** Repeats a call after a transport fault, with growing pauses. */
import type { Cancellation } from "../../cancellation.ts";
import type { SleepClock } from "../../clock.ts";
import { FailureError } from "../../failure.ts";
import { abortFailure } from "../abort.ts";
import { type CallFault, readFault } from "./call-fault.ts";
import type { Limiter } from "./limiter.ts";
import type { ModelHandle } from "./model-handle.ts";

/** With what a model call is tried again. */
export interface RepeatOptions {
  readonly handle: ModelHandle;
  readonly limiter: Limiter;
  readonly clock: SleepClock;
  readonly cancellation: Cancellation;
}

/** Tries of one call in all. */
const TRIES_MAX = 5;

/** The longest wait within an attempt. A longer one ends the attempt, because `retry` and `resume` can wait. */
const WAIT_MAX_MS = 5 * 60_000;

/**
 * Makes one call, and makes it again after a transport fault: it waits as long as the provider asks (all callers of
 * that provider wait with it), else 0.5 s doubled each time up to 20 s. Faults that stay so are thrown at once.
 */
export async function repeatCall<T>(
  options: RepeatOptions,
  call: () => Promise<T>,
): Promise<{ readonly value: T; readonly retries: number }> {
  const { handle, limiter, clock, cancellation } = options;
  const provider = handle.provider ?? handle.id;
  for (let tries = 1; ; tries += 1) {
    const ready = limiter.ready(provider, cancellation);
    if (ready !== undefined) await orCancelled(cancellation, ready);
    try {
      return { value: await call(), retries: tries - 1 };
    } catch (thrown) {
      if (cancellation.isCancelled) throw abortFailure(cancellation);
      const fault = readFault(thrown, handle, clock.now());
      if (!fault.again || tries >= TRIES_MAX || (fault.retryAfterMs ?? 0) > WAIT_MAX_MS) {
        throw failureOf(fault, tries);
      }
      if (fault.retryAfterMs === undefined) {
        await orCancelled(cancellation, clock.sleep(backoffMs(tries), cancellation));
      } else {
        limiter.hold(provider, clock.now() + fault.retryAfterMs);
      }
    }
  }
}

/** The wait before try number `tries + 1`, in milliseconds. */
export function backoffMs(tries: number): number {
  return Math.min(20_000, 500 * 2 ** (tries - 1));
}

async function orCancelled(cancellation: Cancellation, wait: Promise<void>): Promise<void> {
  try {
    await wait;
  } catch (thrown) {
    throw cancellation.isCancelled ? abortFailure(cancellation) : thrown;
  }
}

function failureOf(
  { failure, retryAfterMs, again, cause }: CallFault,
  tries: number,
): FailureError {
  const { message } = failure;
  return new FailureError(
    {
      ...failure,
      message: again && tries > 1 ? `${message} (after ${tries} tries)` : message,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
    { cause },
  );
}
