/** What every group of the suite starts from. */
import type { RunLog, RunStore } from "../../../runtime/store/run-store.ts";
import type { ManualClock } from "../../runtime/store/fixtures.ts";
import { records, running } from "../../runtime/store/runs.ts";

/** A store and how to come back to it, as another process would. */
export interface Subject {
  readonly store: RunStore;
  again(): RunStore;
}

export interface Setting extends Subject {
  readonly clock: ManualClock;
  /** Processes of this host that have ended. */
  readonly dead: Set<number>;
}

/** Appends the records from `first` to `last`. */
export function fill(log: RunLog, first: number, last: number): void {
  for (const each of records(first, last)) log.append(each, running);
}
