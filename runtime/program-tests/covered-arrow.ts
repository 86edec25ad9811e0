/** Defines what tests took of the arrows of a graph. */
import type { Ir } from "../../dsl/index.ts";

/** An arrow, and how often tests took it. An arrow from several nodes is one for each of them. */
export interface CoveredArrow {
  /** A node, `start`, the join `[a, b]`, or `each x`, of whose items it begins one or which it leaves as a whole. */
  readonly from: string;
  /** A node, `end`, or `each x`. */
  readonly to: string;
  readonly kind: "arrow" | "choice" | "failure";
  /** The word and the conditions before it: `on error`, `good`, `else`; empty where it is always taken. */
  readonly label: string;
  /** In the text of the graph, from 1; absent where the graph has no text. */
  readonly line?: number;
  readonly times: number;
  /** The place of its target among those of `targetsIn`; absent where it leads to an `each`. */
  readonly target?: number;
}

/** The arrows of a graph in the order of its text, with what tests took of them. */
export interface GraphCoverage {
  readonly ir: Ir;
  readonly tests: number;
  readonly arrows: readonly CoveredArrow[];
}
