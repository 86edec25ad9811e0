/**
 * Looks on while a schedule runs: each position is what the log folds to by then, nobody changes one that has been, and
 * in each everything that is open has its place.
 */

import { pathOf } from "../../../runtime/history/log-path.ts";
import type { LogRecord } from "../../../runtime/records/records.ts";
import { foldPatches } from "../../../runtime/replay/fold-patches.ts";
import { applyRecord, foldIn } from "../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
import type { Program } from "../../../runtime/scheduler/program/program.ts";
import { emptySnapshot, type Snapshot } from "../../../runtime/scheduler/snapshot/snapshot.ts";
import { differenceOf, fingerprint, type Known } from "./fingerprint.ts";
import { misplaced } from "./structure.ts";

/** So many of the positions that have been are looked at again at the end. */
const AGAIN = 25;

export class Watch {
  readonly #program: Program;
  /** Behind each record, by its number, folded from the log alone. */
  readonly #folded: Snapshot[] = [];
  readonly #records: LogRecord[] = [];
  #last: Snapshot | undefined;
  readonly #been: { readonly snapshot: Snapshot; readonly mark: number }[] = [];
  readonly #live: Known = new WeakMap();
  readonly #own: Known = new WeakMap();
  /** What was wrong first. */
  wrong: string | undefined;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Each record with the position behind the decision that it is of. */
  see(record: LogRecord, snapshot: Snapshot): void {
    if (this.wrong !== undefined) return;
    if (this.#last !== snapshot) {
      this.#compare(this.#last);
      this.#lookAgain(this.#been.at(-1), "as soon as it went on");
      this.#been.push({ snapshot, mark: fingerprint(snapshot, this.#live) });
      this.#note(misplaced(snapshot));
      this.#last = snapshot;
    }
    const before = record.seq === 0 ? emptySnapshot() : this.#folded[record.seq - 1];
    if (before === undefined) throw new Error(`record ${record.seq} came without those before it`);
    // A crash has taken away what was behind it.
    this.#folded.length = record.seq;
    this.#records.length = record.seq;
    this.#records.push(record);
    this.#folded.push(applyRecord(this.#program, before, record, record.at));
  }

  end(): void {
    this.#compare(this.#last);
    const every = Math.max(1, Math.floor(this.#been.length / AGAIN));
    for (const [index, one] of this.#been.entries()) {
      if (index % every === 0) this.#lookAgain(one, "by the end");
    }
    this.#note(this.#goneBack());
  }

  /** Each step that the run can go back to is what the patches of the log fold to up to there. */
  #goneBack(): string | undefined {
    const path = pathOf(this.#records);
    for (const record of path) {
      if (record.kind !== "commit" || record.step % 3 !== 0) continue;
      const then = this.#last?.trail.at(record.step, foldIn(this.#program));
      if (then === undefined) return `there is no way back to step ${record.step}`;
      const folded = foldPatches(this.#records.slice(0, record.seq + 1));
      const difference = differenceOf(shownState(this.#program, then), folded);
      if (difference !== undefined)
        return `step ${record.step} and its patches differ${difference}`;
    }
    return undefined;
  }

  /** The log, as it is by now, leads to where the run stands. */
  #compare(live: Snapshot | undefined): void {
    const folded = this.#folded.at(-1);
    if (live === undefined || folded === undefined) return;
    if (fingerprint(live, this.#live) === fingerprint(folded, this.#own)) return;
    const at = this.#folded.length - 1;
    this.#note(`behind record ${at} the run and its log differ${differenceOf(live, folded)}`);
  }

  #lookAgain(
    been: { readonly snapshot: Snapshot; readonly mark: number } | undefined,
    when: string,
  ) {
    if (been === undefined || fingerprint(been.snapshot) === been.mark) return;
    this.#note(`the position behind step ${been.snapshot.steps} was changed ${when}`);
  }

  #note(what: string | undefined): void {
    this.wrong ??= what;
  }
}
