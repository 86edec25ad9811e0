/** Collects what a function of a node gives one after another, an AsyncIterable or an Observable, into one result. */
import type { Cancellation } from "../../cancellation.ts";
import type { Attempt, PerformerContext } from "../../performer.ts";
import { untilCancelled } from "../abort.ts";
import { isStreamSource, iteratorOf } from "../values/stream-source.ts";

export interface StreamReading {
  readonly attempt: Attempt;
  readonly context: Pick<PerformerContext, "delta">;
  /** Ends the reading: the source is closed, and what it gave is dropped. */
  readonly cancellation: Cancellation;
}

/**
 * Returns the result of a function; of a stream, the list of its values. Texts for a node that
 * writes one text are joined, and shown to listeners as they come, like a model's. Rejects with the
 * error that the stream throws.
 */
export async function collectStream(returned: unknown, reading: StreamReading): Promise<unknown> {
  if (!isStreamSource(returned)) return returned;
  const { attempt, context, cancellation } = reading;
  const values: unknown[] = [];
  const isText = attempt.node.output?.type === "string";
  // All values are kept anyway: an Observable may give any number at once.
  const iterator = iteratorOf(returned, Number.POSITIVE_INFINITY);
  try {
    for (;;) {
      const next = await untilCancelled(async () => iterator.next(), cancellation);
      if (next.done === true) break;
      values.push(next.value);
      if (isText && typeof next.value === "string") context.delta(next.value);
    }
  } catch (error) {
    // The attempt does not wait for a generator that waits for something else.
    const close = async () => iterator.return?.();
    close().catch(() => undefined);
    throw error;
  }
  const isJoined = isText && values.every((value) => typeof value === "string");
  return isJoined ? values.join("") : values;
}
