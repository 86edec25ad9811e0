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

/** Tries of one call, without those after which the provider asked for a wait. */
const TRIES_MAX = 5;

/** The longest wait for a provider within an attempt. A longer one ends the attempt, because `retry` and `resume` can wait. */
const WAIT_MAX_MS = 5 * 60_000;

/** The time that a wait which the provider asks for counts at least, so that there is an end of them. */
const WAIT_MIN_MS = 1000;

/**
 * Makes one call, and makes it again after a transport fault: it waits as long as the provider asks, which costs no try,
 * else 0.5 s doubled each time up to 20 s. While it waits because the provider asks or has too much to do, all callers of
 * that provider wait with it. Faults that stay so are thrown at once.
 */
export async function repeatCall<T>(
  options: RepeatOptions,
  call: () => Promise<T>,
): Promise<{ readonly value: T; readonly retries: number }> {
  const { handle, limiter, clock, cancellation } = options;
  const provider = handle.provider ?? handle.id;
  let waitedMs = 0;
  let faults = 0;
  for (let tries = 1; ; tries += 1) {
    const ready = limiter.ready(provider, cancellation);
    if (ready !== undefined) await orCancelled(cancellation, ready);
    try {
      return { value: await call(), retries: tries - 1 };
    } catch (thrown) {
      if (cancellation.isCancelled) throw abortFailure(cancellation);
      const fault = readFault(thrown, handle, clock.now());
      const { retryAfterMs, isOverloaded = false } = fault;
      if (retryAfterMs === undefined) faults += 1;
      else waitedMs += Math.max(retryAfterMs, WAIT_MIN_MS);
      if (!fault.again || faults >= TRIES_MAX || waitedMs > WAIT_MAX_MS) {
        throw failureOf(fault, tries);
      }
      const waitMs = retryAfterMs ?? backoffMs(faults);
      if (retryAfterMs !== undefined || isOverloaded) limiter.hold(provider, clock.now() + waitMs);
      else await orCancelled(cancellation, clock.sleep(waitMs, cancellation));
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
