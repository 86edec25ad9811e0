/**
 * Keeps what the main thread was given and has not finished. A termination drops the promises that were about to go on,
 * and the end of what was cancelled may be among them: then it is said here, by a timer, which no termination takes
 * away.
 */

// Longer than any turn of the event loop, and shorter than a person waits.
const SOON_MS = 200;
// A run that is paused may take a while to stand still.
const PATIENT_MS = 10_000;

interface Work<T> {
  /** Told once how it ended. */
  readonly end: (result: T) => void;
  /** The result when the work was lost without one. */
  readonly lost: T;
  /** Returns whether the work is still being stopped, which may take long. */
  readonly isEnding?: () => boolean;
}

interface GivenUp {
  readonly isEnding: () => boolean;
  readonly giveUp: () => void;
}

export class UnderWay {
  readonly #open = new Set<GivenUp>();

  async follow<T>(work: Promise<T>, { end, lost, isEnding = () => false }: Work<T>): Promise<void> {
    const endOnce = (result: T) => {
      if (this.#open.delete(one)) end(result);
    };
    const one = { isEnding, giveUp: () => endOnce(lost) };
    this.#open.add(one);
    endOnce(await work);
  }

  /** All of it is cancelled after a termination. */
  terminated(): void {
    const open = [...this.#open];
    giveUpAfter(SOON_MS, () => open.filter(({ isEnding }) => !isEnding()));
    giveUpAfter(PATIENT_MS, () => open);
  }
}

function giveUpAfter(ms: number, which: () => readonly GivenUp[]): void {
  setTimeout(() => {
    for (const { giveUp } of which()) giveUp();
  }, ms).unref();
}
