/**
 * Cancels work and tells those who listen. An `AbortSignal`, its listeners and the error of an abort cost more than a
 * small step does, so they are made only for callers that ask for a `signal`.
 */
export class Cancellation {
  #isCancelled = false;
  #reason: unknown;
  #listeners: (() => void)[] | undefined;
  #controller: AbortController | undefined;
  #takeBack: (() => void) | undefined;

  /** That of a signal: cancelled when it is aborted. */
  static of(signal: AbortSignal): Cancellation {
    const cancellation = new Cancellation();
    if (signal.aborted) cancellation.cancel(signal.reason);
    else signal.addEventListener("abort", () => cancellation.cancel(signal.reason), { once: true });
    return cancellation;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** The reason for the cancellation, if one was given. */
  get reason(): unknown {
    return this.#reason;
  }

  /** The same for what knows signals only: aborted when this is cancelled. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isCancelled) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Tells each listener, once. */
  cancel(reason?: unknown): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = undefined;
    this.leave();
    this.#controller?.abort(reason);
    if (listeners !== undefined) for (const listener of listeners) listener();
  }

  /** Calls `listener` when it is cancelled; the result takes that back. */
  onCancel(listener: () => void): () => void {
    if (this.#listeners === undefined) this.#listeners = [listener];
    else this.#listeners.push(listener);
    return () => {
      const at = this.#listeners?.indexOf(listener) ?? -1;
      if (at >= 0) this.#listeners?.splice(at, 1);
    };
  }

  /** One that is cancelled with this one, or by itself before; `leave` when it is over. */
  child(): Cancellation {
    const child = new Cancellation();
    if (this.#isCancelled) child.cancel(this.#reason);
    else child.#takeBack = this.onCancel(() => child.cancel(this.#reason));
    return child;
  }

  /** A child that is over: what it is of need not tell it any more. */
  leave(): void {
    this.#takeBack?.();
    this.#takeBack = undefined;
  }
}
