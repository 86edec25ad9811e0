/** Holds the chunks of a turn on their way from the agent's process to whoever hears it. */
import type { ControllerChunk } from "../../operator/controller.ts";

/** More chunks than so many that nobody took make the process wait. */
const WAITING_MAX = 256;

/** The one that fills and empties it. */
interface ChunkFlow {
  readonly pause: () => void;
  readonly resume: () => void;
}

export class TurnChunks {
  readonly #flow: ChunkFlow;
  readonly #waiting: ControllerChunk[] = [];
  #end: { readonly failure?: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(flow: ChunkFlow) {
    this.#flow = flow;
  }

  push(chunk: ControllerChunk): void {
    if (this.#end !== undefined) return;
    this.#waiting.push(chunk);
    if (this.#waiting.length === WAITING_MAX) this.#flow.pause();
    this.#wake();
  }

  /** Ends the stream behind the chunks that wait; a failure rejects it there. */
  close(end: { readonly failure?: unknown } = {}): void {
    this.#end ??= end;
    this.#wake();
  }

  /** Every chunk, once, up to the end. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ControllerChunk> {
    for (;;) {
      const chunk = this.#waiting.shift();
      if (chunk !== undefined) {
        if (this.#waiting.length === WAITING_MAX / 2) this.#flow.resume();
        yield chunk;
        continue;
      }
      if (this.#end !== undefined) {
        if ("failure" in this.#end) throw this.#end.failure;
        return;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }
}
