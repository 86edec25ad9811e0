/** Keeps the snapshots that a run can be rewound to. */
import type { RecordBody } from "../../records/records.ts";
// biome-ignore lint/suspicious/noImportCycles: a snapshot has a trail, and a trail leads to snapshots.
import type { Snapshot } from "./snapshot.ts";

/** Folds one record, as those of the log are. */
export type Fold = (snapshot: Snapshot, record: RecordBody, at: number) => Snapshot;

/** A trail that is worked out when somebody first looks back. */
export interface LaterTrail {
  /** All of it. */
  read(): Trail;
  /** The snapshot right behind a step, where that takes less than all of it. */
  at?(step: number): Snapshot | undefined;
}

interface Noted {
  readonly record: RecordBody;
  readonly at: number;
}

/** A snapshot takes more room than the records of a step: those of the steps between are folded when somebody looks back. */
const STEPS_BETWEEN = 16;

/** The steps of a run, and its start, along the path that led here; see `stepAt`. */
export class Trail {
  static readonly empty = new Trail(undefined);
  /** What is before it, its own trail leads to. */
  readonly #base: Snapshot | undefined;
  /** What followed; longer than `length` once a later trail has noted more. Without it, nothing can follow. */
  readonly #records: Noted[] | undefined;
  readonly #length: number;
  readonly #later: LaterTrail | undefined;

  private constructor(
    base: Snapshot | undefined,
    records?: Noted[],
    length = 0,
    later?: LaterTrail,
  ) {
    this.#base = base;
    this.#records = records;
    this.#length = length;
    this.#later = later;
  }

  static later(later: LaterTrail): Trail {
    return new Trail(undefined, undefined, 0, later);
  }

  /** The trail to a step, and to those before it. */
  static endingAt(last: Snapshot): Trail {
    return new Trail(last);
  }

  /** That of what follows a snapshot. */
  static behind(snapshot: Snapshot): Trail {
    const { trail, isStep, steps } = snapshot;
    const isKept = trail.#records === undefined || (isStep && steps % STEPS_BETWEEN === 0);
    return isKept ? new Trail(snapshot, []) : trail;
  }

  /** With the next record, as it stands in the log. */
  noted(record: RecordBody, at: number): Trail {
    const length = this.#length;
    // A rewind is no way on from what was before it.
    if (this.#records === undefined) return this;
    const isNewest = length === this.#records.length;
    const records = isNewest ? this.#records : this.#records.slice(0, length);
    records.push({ record, at });
    return new Trail(this.#base, records, length + 1);
  }

  /** The same steps, the last one changed. */
  with(change: Partial<Snapshot>, fold: Fold): Trail {
    const last = this.#last(fold);
    return last === undefined ? this : Trail.endingAt({ ...last, ...change });
  }

  /** The snapshot right behind a step. */
  at(step: number, fold: Fold): Snapshot | undefined {
    let trail: Trail = this;
    while (trail.#base !== undefined) {
      const base = trail.#base;
      if (base.steps < step || isAt(base, step))
        return trail.#folded(fold).find((one) => isAt(one, step));
      trail = base.trail;
    }
    const later = trail.#later;
    return later?.at === undefined ? later?.read().at(step, fold) : later.at(step);
  }

  #last(fold: Fold): Snapshot | undefined {
    const known = this.#known();
    const steps = [...known.#folded(fold)].filter(({ isStep }) => isStep);
    if (known.#base === undefined) return undefined;
    return steps.at(-1) ?? known.#base.trail.#last(fold);
  }

  #known(): Trail {
    return this.#later === undefined ? this : this.#later.read().#known();
  }

  /** Where it begins, and what each of its records led to. */
  *#folded(fold: Fold): Generator<Snapshot, undefined> {
    if (this.#base === undefined) return;
    let at = this.#base;
    yield at;
    for (const noted of (this.#records ?? []).slice(0, this.#length)) {
      at = fold(at, noted.record, noted.at);
      yield at;
    }
  }
}

function isAt({ isStep, steps }: Snapshot, step: number): boolean {
  return isStep && steps === step;
}

/** The snapshot right behind a step: this one itself, or one that its trail leads to. */
export function stepAt(snapshot: Snapshot, step: number, fold: Fold): Snapshot | undefined {
  return isAt(snapshot, step) ? snapshot : snapshot.trail.at(step, fold);
}
