/** What is run in a kernel that is measured, in its language. */

/** How many distinct cells are timed. */
export const CELLS = 50;

/** With the first, the timed and the repeated ones: how many cells a kernel has run when its memory is looked at. */
export const CELLS_IN_ALL = 200;

export const LINES = 10_000;

/** What a cell prints before it blocks. */
export const BEGUN = "begun";

export interface Completion {
  readonly code: string;
  /** Must be among the matches, or what was measured is not completion. */
  readonly expected: string;
}

export interface Script {
  readonly first: string;
  /** No two with the same text or the same types; some use what the ones before declare. */
  readonly distinct: readonly string[];
  /** Can be asked for once the distinct cells have run. */
  readonly completions: readonly Completion[];
  /** Prints the numbers below `LINES`, a line each. */
  readonly lines: string;
  /** Cells that print `BEGUN` and then block, each until it is interrupted. */
  readonly blocking: Readonly<Record<Blocking, string>>;
}

export const blockings = ["sync loop", "loop after await", "awaiting"] as const;

export type Blocking = (typeof blockings)[number];

/** The kinds one after the other; what a kind writes may use what the kinds before it have written of the same set. */
export function inTurn<T>(
  kinds: readonly ((index: number, set: number) => T)[],
  count: number,
): readonly T[] {
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length];
    if (kind === undefined) throw new Error("there are kinds");
    return kind(index, Math.floor(index / kinds.length));
  });
}
