/** Continues or aborts what is stopped when a front end disconnects. */

/** JupyterLab's button "Terminate" comes back at once; somebody who turns the debugger off does not. */
const BACK_MS = 1000;
/** Counted in parts: a machine that was too busy to hear of anything meanwhile has not waited. */
const PARTS = 10;

export class Disconnect {
  readonly #continueRuns: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(continueRuns: () => void) {
    this.#continueRuns = continueRuns;
  }

  /**
   * Starts the countdown after which stopped threads continue, unless a front end connects before.
   */
  begin(): void {
    this.cancel();
    this.#wait(PARTS);
  }

  /** Cancels the countdown; returns whether it was running. */
  cancel(): boolean {
    const wasLeaving = this.#timer !== undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return wasLeaving;
  }

  #wait(parts: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (parts > 1) this.#wait(parts - 1);
      else this.#continueRuns();
    }, BACK_MS / PARTS);
    this.#timer.unref();
  }
}
