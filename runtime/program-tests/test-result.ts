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
  /** Set where orders of finishing were explored; of the last input, where inputs were generated too. */
  readonly orders?: OrdersTried;
  readonly inputs?: InputsTried;
  /** Empty if it passed. */
  readonly faults: readonly TestFault[];
  readonly durationMs: number;
}

/** The outcome of all runs of a test. */
export type TestedRuns = Omit<TestResult, "test" | "ok" | "durationMs">;

/** The orders of finishing that were tried. */
export interface OrdersTried {
  readonly tried: number;
  /** All that there are if the search is complete; else as many as the first one's choices allow. */
  readonly total: number;
  readonly isComplete: boolean;
  /** The order that breaks the test, where the usual one does not: `search#2`, `go#1 › say#1`. */
  readonly broken?: readonly string[];
}

/** The inputs that were generated for `for any`. */
export interface InputsTried {
  readonly tried: number;
  /** Those that the condition behind `when` left out. */
  readonly skipped: number;
  /** The seed that generates the same ones again. */
  readonly seed: number;
  /** The smallest input found that breaks the test, as lines of a test: `given n = 0`, `write says ""`. */
  readonly broken?: readonly string[];
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
