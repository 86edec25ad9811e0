/** Ends the call of a model that has been silent for too long: before its first piece, or between two. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { Cancellation } from "../../cancellation.ts";
import type { SleepClock } from "../../clock.ts";
import { StreamFault } from "./call-fault.ts";

/** The longest silences of a model, in milliseconds; without an end where nothing is said. */
export interface SilenceLimits {
  readonly firstTokenWithin?: number;
  readonly nextTokenWithin?: number;
}

/**
 * Gives the parts of an answer as they come. One that comes too late closes the connection and is a `StreamFault`, which
 * is repeated like any other fault of the transport.
 */
export async function* heardInTime(
  model: LanguageModelV4,
  call: LanguageModelV4CallOptions,
  { clock, limits }: { readonly clock: SleepClock; readonly limits: SilenceLimits },
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { firstTokenWithin, nextTokenWithin } = limits;
  const { abortSignal } = call;
  const stopping = abortSignal === undefined ? new Cancellation() : Cancellation.of(abortSignal);
  const startedAt = clock.now();
  let isFirst = true;
  const inTime = async <T>(work: PromiseLike<T>): Promise<T> => {
    const allowed = isFirst ? firstTokenWithin : nextTokenWithin;
    if (allowed === undefined) return work;
    const left = isFirst ? Math.max(0, allowed - (clock.now() - startedAt)) : allowed;
    const timer = stopping.child();
    const late = clock.sleep(left, timer).then(() => {
      throw new StreamFault(tooSilent(allowed, isFirst));
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      timer.cancel();
      timer.leave();
    }
  };
  try {
    const { stream } = await inTime(model.doStream({ ...call, abortSignal: stopping.signal }));
    const parts = stream[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await inTime(parts.next());
      if (done === true) return;
      // A part that only says that the provider has begun is no piece of an answer.
      if (value.type !== "stream-start" && value.type !== "response-metadata") isFirst = false;
      yield value;
    }
  } finally {
    stopping.cancel();
  }
}

function tooSilent(allowedMs: number, isFirst: boolean): string {
  const what = isFirst ? "no first piece came" : "no further piece came";
  return `${what} within ${allowedMs / 1000} s`;
}
