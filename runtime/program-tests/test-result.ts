/** Defines the result of a test. */
import type { Code, Ir, SpanIr, TestIr } from "../../dsl/index.ts";
import type { Failure } from "../failure.ts";
import type { CoveredArrow } from "./covered-arrow.ts";

export interface TestResult {
  readonly test: TestIr;
  readonly ok: boolean;
  /** Nodes in the order of their commits, and `end` where the run got there. */
  readonly path: readonly string[];
  /** All arrows of the graph, with how often the run took each. */
  readonly arrows: readonly CoveredArrow[];
  /** The same of each graph that the run called and entered. */
  readonly called: readonly EnteredGraph[];
  /** Empty if it passed. */
  readonly faults: readonly TestFault[];
  readonly durationMs: number;
}

/** A called graph, and how often the run took its arrows. */
export interface EnteredGraph {
  readonly ir: Ir;
  readonly arrows: readonly CoveredArrow[];
}

export interface TestFault {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string;
  /** A place in the test's source. */
  readonly span: SpanIr;
  /** More lines, to be shown as they are: aligned paths, values. */
  readonly detail?: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** The failure of the run. */
  readonly failure?: Failure;
}
