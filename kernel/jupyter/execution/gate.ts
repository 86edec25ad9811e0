/** Holds messages to the main thread back while a termination is on its way. */
import type { ToMain } from "../link.ts";

export class Gate {
  readonly #post: (message: ToMain) => void;
  #isShut = false;
  #kept: ToMain[] = [];

  constructor(post: (message: ToMain) => void) {
    this.#post = post;
  }

  /** At once, or when the gate is open again, in the order in which all was said. */
  tell(message: ToMain): void {
    if (this.#isShut) this.#kept.push(message);
    else this.#post(message);
  }

  /** At once, whatever becomes of it. */
  tellNow(message: ToMain): void {
    this.#post(message);
  }

  /** Keeps what is said until `work` is over. */
  async shutDuring(work: () => Promise<void>): Promise<void> {
    this.#isShut = true;
    try {
      await work();
    } finally {
      this.#isShut = false;
      for (const message of this.#kept.splice(0)) this.#post(message);
    }
  }
}
