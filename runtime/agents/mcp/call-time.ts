/** Measures how long a call to a server has given no sign of life, leaving out the time in which people are asked. */
import { systemClock } from "../../clock.ts";

export class CallTime {
  readonly #ms: number;
  readonly #late = new AbortController();
  #stop: () => void = () => {};
  #pauses = 0;

  constructor(ms: number) {
    this.#ms = ms;
    this.restart();
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#late.signal;
  }

  get isOver(): boolean {
    return this.#late.signal.aborted;
  }

  /** Begins anew: the server has shown progress. */
  restart(): void {
    this.#stop();
    if (this.#pauses === 0) this.#stop = systemClock.after(this.#ms, () => this.#late.abort());
  }

  /** Stands still until `work` is done. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    this.#pauses += 1;
    this.#stop();
    try {
      return await work();
    } finally {
      this.#pauses -= 1;
      this.restart();
    }
  }

  end(): void {
    this.#stop();
  }
}
