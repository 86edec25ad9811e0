/** Things that happen side by side, told in the order of their times. */

/** What goes on for a while: each yield is a pause, in milliseconds. */
export type Process = Generator<number, void>;

interface Waiting {
  readonly process: Process;
  at: number;
}

/** A clock that goes from one thing to the next. */
export class Simulation {
  #now: number;
  #waiting: Waiting[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  get now(): number {
    return this.#now;
  }

  start(process: Process): void {
    this.#waiting.push({ process, at: this.#now });
  }

  /** Goes on until nothing is left, or `isOver` says so of the time of what comes next. */
  run(isOver: (at: number) => boolean): void {
    while (this.#waiting.length > 0) {
      const next = this.#first();
      if (isOver(next.at)) return;
      this.#now = next.at;
      const { done, value } = next.process.next();
      if (done === true) this.#waiting = this.#waiting.filter((one) => one !== next);
      else next.at += value;
    }
  }

  /** The earliest; of two at one time the one that was started first. */
  #first(): Waiting {
    return this.#waiting.reduce((first, one) => (one.at < first.at ? one : first));
  }
}
