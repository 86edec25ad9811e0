/** Numbers calls to another thread, and settles each when its answer comes. */
import { serializeError, toError } from "../sql/serialized-error.ts";
import type { ThreadReply } from "./messages.ts";

/** The calls that wait for their answers; `T` is kept with each. */
export class WaitingCalls<T> {
  readonly #waiting = new Map<number, Settling & { readonly kept: T }>();
  #last = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /** A new call. */
  add(kept: T): { readonly id: number; readonly answer: Promise<unknown> } {
    this.#last += 1;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#last, { kept, resolve, reject });
    return { id: this.#last, answer: promise };
  }

  /** Returns the value that is kept with a call, while it waits. */
  of(id: number): T | undefined {
    return this.#waiting.get(id)?.kept;
  }

  settle(id: number, reply: ThreadReply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if ("failure" in reply) waiting?.reject(toError(reply.failure));
    else waiting?.resolve(reply.value);
  }

  /** All that wait, in their order. */
  entries(): readonly (readonly [number, T])[] {
    return [...this.#waiting].map(([id, { kept }]) => [id, kept]);
  }
}

interface Settling {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Performs work, and returns its result or its error as a message. */
export async function replyOf(work: () => Promise<unknown>): Promise<ThreadReply> {
  try {
    return { value: await work() };
  } catch (error) {
    return { failure: serializeError(error) };
  }
}
