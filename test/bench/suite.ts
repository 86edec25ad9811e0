/** What a benchmark suite gives: rows of measurements, each with the goal it is held against. */

import type { Wanted } from "./wanted.ts";

export type Tell = (line: string) => void;

/** Takes a row as soon as it is measured: what fails later leaves it there. */
export type Keep = (row: Measured) => void;

export interface Suite {
  /** Measures the rows that are `wanted`; of what it measures beside them, `keep` takes no notice. */
  readonly measure: (tell: Tell, keep: Keep, wanted: Wanted) => Promise<void>;
}

/** One row before it is summed up: what every run gave, in the order of the runs. */
export interface Measured {
  readonly name: string;
  /** Where the runs of an engine row are kept. */
  readonly store?: "none" | "memory" | "disk";
  readonly unit: string;
  readonly goal: number;
  /** `ours`: an upper bound of our own figure. `ratio`: a lower bound of base/ours. */
  readonly goalOn: "ratio" | "ours";
  readonly ours: readonly number[];
  readonly base?: { readonly name: string; readonly values: readonly number[] };
  /** The same work by the libraries beneath us alone. */
  readonly floor?: readonly number[];
}
