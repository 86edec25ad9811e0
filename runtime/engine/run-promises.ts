/** Keeps the promises of a run: its output, and its next standstill. */

import { unwatched } from "../event-stream/stream.ts";
import { Standstill } from "../history/standstill.ts";

export class RunPromises {
  #outcome = unwatched<Record<string, unknown>>();
  readonly #standstill = new Standstill();
  #isGivenUp = false;

  get output(): Promise<Record<string, unknown>> {
    return this.#outcome.promise;
  }

  get settled(): Promise<void> {
    return this.#standstill.promise;
  }

  /** True if the output was rejected although the run is not over: it waits, and nobody is there to answer. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  succeeded(output: Record<string, unknown>): void {
    this.#outcome.resolve(output);
  }

  failed(error: unknown): void {
    this.#outcome.reject(error);
  }

  giveUp(error: unknown): void {
    this.#isGivenUp = true;
    this.#outcome.reject(error);
  }

  /** There is an output to wait for again. */
  renewOutput(): void {
    this.#isGivenUp = false;
    this.#outcome = unwatched();
  }

  /** Forwards the output of another run's promises to those who wait here. */
  follow({ output }: RunPromises): void {
    const { resolve, reject } = this.#outcome;
    output.then(resolve, reject);
  }

  underWay(): void {
    this.#standstill.renew();
  }

  standsStill(): void {
    this.#standstill.reached();
  }

  /** Renews a given-up output, so that callers can wait for it again. */
  waitAgain(): void {
    if (!this.#isGivenUp) return;
    this.renewOutput();
    this.underWay();
  }

  broken(error: unknown): void {
    this.giveUp(error);
    this.#standstill.failed(error);
  }
}
