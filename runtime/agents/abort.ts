import { FailureError, messageOf } from "../failure.ts";

/** What an aborted call rejects with: the failure that the engine aborted it for, else class `aborted`. */
export function abortFailure(signal: AbortSignal): FailureError {
  const reason: unknown = signal.reason;
  if (reason instanceof FailureError) return reason;
  const message = `the call was cancelled: ${messageOf(reason)}`;
  return new FailureError({ class: "aborted", code: "M8111", message }, { cause: reason });
}

/**
 * What `work` comes to, or a rejection at once when `signal` is aborted: what still goes on then is nobody's result.
 * An aborted signal starts nothing.
 */
export async function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw abortFailure(signal);
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(abortFailure(signal));
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * A turn of the event loop with nothing else in it. Who cuts off an endless function of a user (a kernel's stop button)
 * cuts off all that stands in the same turn; called here, that is the function alone.
 */
export function ownTurn(): Promise<void> {
  return new Promise((go) => setImmediate(go));
}
