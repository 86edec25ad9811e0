/** Runs work that can be cancelled: until cancelled, within a time, or in a turn of its own. */
import type { Cancellation } from "../cancellation.ts";
import type { SleepClock } from "../clock.ts";
import { FailureError, messageOf } from "../failure.ts";

/** The failure with which a cancelled call rejects: the reason that the engine gave, else a failure of class `aborted`. */
export function abortFailure({ reason }: Cancellation): FailureError {
  if (reason instanceof FailureError) return reason;
  const why = reason === undefined ? "This operation was aborted" : messageOf(reason);
  const message = `the call was cancelled: ${why}`;
  return new FailureError({ class: "aborted", code: "M8111", message }, { cause: reason });
}

/** Throws where it is too late to begin. */
export function assertWanted(cancellation: Cancellation): void {
  if (cancellation.isCancelled) throw abortFailure(cancellation);
}

/**
 * Returns the result of `work`, or rejects as soon as the call is cancelled; later results are ignored. Work that is
 * cancelled already is not begun.
 */
export function untilCancelled<T>(work: () => Promise<T>, cancellation: Cancellation): Promise<T> {
  return new Promise((resolve, reject) => {
    assertWanted(cancellation);
    const takeBack = cancellation.onCancel(() => reject(abortFailure(cancellation)));
    work().then(
      (value) => {
        takeBack();
        resolve(value);
      },
      (thrown: unknown) => {
        takeBack();
        reject(thrown);
      },
    );
  });
}

/**
 * The same for work that may take `ms` and no longer: what is too late is what `late` gives or throws.
 */
export async function within<T>(
  work: () => Promise<T>,
  {
    ms,
    clock,
    cancellation,
    late,
  }: {
    readonly ms: number;
    readonly clock: SleepClock;
    readonly cancellation: Cancellation;
    readonly late: () => T;
  },
): Promise<T> {
  const waits = cancellation.child();
  const tooLate = clock.sleep(ms, waits).then(late);
  tooLate.catch(() => undefined);
  try {
    return await untilCancelled(() => Promise.race([work(), tooLate]), cancellation);
  } finally {
    waits.cancel();
  }
}

/**
 * A turn of the event loop with nothing else in it. Who cuts off an endless function of a user (a kernel's stop button)
 * cuts off all that stands in the same turn; called here, that is the function alone.
 */
export function ownTurn(): Promise<void> {
  return new Promise((go) => setImmediate(go));
}

/** Returns whether a value is a promise or another thenable. */
export function isThenable(value: unknown): boolean {
  return typeof value === "object" && value !== null && "then" in value;
}

/** Runs `work` and returns its result a turn later if it is synchronous; a promise is awaited as by `untilCancelled`. */
export function inOwnTurn<T>(work: () => T | Promise<T>, cancellation: Cancellation): Promise<T> {
  return new Promise((resolve, reject) => {
    assertWanted(cancellation);
    const takeBack = cancellation.onCancel(() => reject(abortFailure(cancellation)));
    const done = (value: T) => {
      takeBack();
      resolve(value);
    };
    const failed = (thrown: unknown) => {
      takeBack();
      reject(thrown);
    };
    const begin = () => {
      if (cancellation.isCancelled) return;
      try {
        const result = work();
        // A promise that is resolved with another one can't be rejected any more.
        if (result instanceof Promise) result.then(done, failed);
        else done(result);
      } catch (thrown) {
        failed(thrown);
      }
    };
    setImmediate(begin);
  });
}
