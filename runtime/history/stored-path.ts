/** Finds steps of a stored run without reading the beginning of its log. */
import { innermost } from "../records/records.ts";
import type { PathEnd } from "./log-path.ts";
import type { StoredStep, StoredSteps } from "./stored-steps.ts";

/** The last commit of a run that came to rest is mostly a few records back. */
const NEAR = 64;

export class StoredPath {
  readonly #steps: StoredSteps;
  readonly #end: PathEnd;

  constructor(steps: StoredSteps, end: PathEnd) {
    this.#steps = steps;
    this.#end = end;
  }

  /** The record of one of its steps, 0 for its start. */
  seqOf(step: number): number | undefined {
    const made = this.#end.records.find(
      (record) => record.kind === "commit" && record.step === step,
    );
    return made?.seq ?? this.#steps.at(step)?.record.seq;
  }

  /**
   * Returns the last commit's step, or none where there is none. Undefined where that is unknown, because it is one of
   * a called graph. `count` is the number of steps, `latest` the last own commit that came while the run was in memory.
   */
  last(
    count: number,
    latest: StoredStep | undefined,
  ): { readonly made: StoredStep | undefined } | undefined {
    const { upTo, records } = this.#end;
    const isCommit = (record: (typeof records)[number]) => innermost(record).kind === "commit";
    const inHand = records.findLast(isCommit);
    if (inHand !== undefined) return inHand === latest?.record ? { made: latest } : undefined;
    if (count === 0)
      return this.#steps.at(0)?.record.seq === upTo ? { made: undefined } : undefined;
    const near = this.#steps.near(upTo, NEAR).findLast(isCommit);
    if (near?.kind !== "commit") return undefined;
    const made = this.#steps.at(near.step);
    return made?.record.seq === near.seq ? { made } : undefined;
  }
}
