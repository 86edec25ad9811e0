/** What a run can be rewound to. */
import type { Snapshot } from "./snapshot.ts";

/** The snapshots right behind the start of a run and each step since, along the path that led here; see `stepAt`. */
export class Trail {
  static readonly empty = new Trail(undefined);
  readonly #known: Snapshot | undefined;
  readonly #later: (() => Trail) | undefined;

  private constructor(known: Snapshot | undefined, later?: () => Trail) {
    this.#known = known;
    this.#later = later;
  }

  /** One that is worked out when somebody first looks back. */
  static later(read: () => Trail): Trail {
    let found: Trail | undefined;
    const once = () => {
      found ??= read();
      return found;
    };
    return new Trail(undefined, once);
  }

  /** The trail of a snapshot itself ends at the step before. */
  static endingAt(last: Snapshot): Trail {
    return new Trail(last);
  }

  /** The same steps, the last one changed. */
  with(change: Partial<Snapshot>): Trail {
    return this.#last === undefined ? this : new Trail({ ...this.#last, ...change });
  }

  at(step: number): Snapshot | undefined {
    let found = this.#last;
    while (found !== undefined && found.steps > step) found = found.trail.#last;
    return found?.steps === step ? found : undefined;
  }

  get #last(): Snapshot | undefined {
    return this.#later === undefined ? this.#known : this.#later().#last;
  }
}

/** The snapshot right behind a step: this one itself, or one that its trail leads to. */
export function stepAt(snapshot: Snapshot, step: number): Snapshot | undefined {
  return snapshot.isStep && snapshot.steps === step ? snapshot : snapshot.trail.at(step);
}
