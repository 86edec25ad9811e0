/** Adds up which arrows the runs of one test took. */
import type { CoveredArrow } from "./covered-arrow.ts";
import type { OneRun } from "./one-run.ts";
import type { EnteredGraph } from "./test-result.ts";

export class TakenArrows {
  #arrows: readonly CoveredArrow[] = [];
  readonly #called = new Map<string, EnteredGraph>();

  add({ arrows, called }: Pick<OneRun, "arrows" | "called">): void {
    this.#arrows = summed(this.#arrows, arrows);
    for (const { ir, arrows: own } of called) {
      const known = this.#called.get(ir.hash)?.arrows ?? [];
      this.#called.set(ir.hash, { ir, arrows: summed(known, own) });
    }
  }

  get all(): Pick<OneRun, "arrows" | "called"> {
    return { arrows: this.#arrows, called: [...this.#called.values()] };
  }
}

/** The arrows of one graph stand in one order in all runs. */
function summed(
  before: readonly CoveredArrow[],
  arrows: readonly CoveredArrow[],
): readonly CoveredArrow[] {
  return arrows.map((arrow, index) => ({
    ...arrow,
    times: arrow.times + (before[index]?.times ?? 0),
  }));
}
