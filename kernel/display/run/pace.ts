/** Limits how often a drawing changes: ten times a second where nothing else is said, and at once after a pause. */

/** Calls `task` once, `delayMs` from now. */
export type Schedule = (task: () => void, delayMs: number) => void;

/** Ten pictures a second, with room for the last one: one that changes more often only flickers. */
const UPDATE_MS = 125;
/** With eight pictures a second, one end a second is nine. */
const ENDS_MS = 1000;

export class Pace {
  readonly #schedule: Schedule;
  readonly #updateMs: number;
  /** Counts the pictures that are so new that another one would come too soon. */
  #fresh = 0;
  #isShown = false;
  #hasJustEnded = false;
  #next: (() => void) | undefined;

  constructor(schedule: Schedule, updateMs = UPDATE_MS) {
    this.#schedule = schedule;
    this.#updateMs = updateMs;
  }

  /** True if there is a picture that can be updated. */
  get isShown(): boolean {
    return this.#isShown;
  }

  /** True if the last picture is old enough for another one. */
  get isRested(): boolean {
    return this.#fresh === 0;
  }

  /**
   * Returns whether this end of the run is the first in a second: a run that is rewound in a loop
   * ends many times.
   */
  ends(): boolean {
    if (this.#hasJustEnded) return false;
    this.#hasJustEnded = true;
    this.#schedule(() => {
      this.#hasJustEnded = false;
    }, ENDS_MS);
    return true;
  }

  /** Draws when it is time for another picture, what is said last. */
  drawSoon(draw: () => void): void {
    const isScheduled = this.#next !== undefined || this.#fresh > 0;
    this.#next = draw;
    // Else the end of that time draws it.
    if (!isScheduled) this.#schedule(() => this.#drawNext(), this.#updateMs);
  }

  /** Notes that a new picture was drawn. */
  drawn(): void {
    this.#isShown = true;
    this.#next = undefined;
    this.#fresh += 1;
    this.#schedule(() => {
      this.#fresh -= 1;
      if (this.#fresh === 0) this.#drawNext();
    }, this.#updateMs);
  }

  #drawNext(): void {
    const draw = this.#next;
    this.#next = undefined;
    draw?.();
  }
}
