/** Loads what runs tests when the first test is run. */
import type { Ir, TestIr } from "../../dsl/index.ts";
import type { GraphCoverage } from "./covered-arrow.ts";
import type { TestOptions } from "./run-test.ts";
import type { TestResult } from "./test-result.ts";

/** Runs a test and says how it came out; what runs tests is loaded with the first of them. */
export async function runTest(test: TestIr, options?: TestOptions): Promise<TestResult> {
  const door = await import("./run-test.ts");
  return door.runTest(test, options);
}

/** Returns how often tests took each arrow of their graphs, and of `graphs`, which may have no test. */
export async function coverGraphs(
  graphs: readonly Ir[],
  results: readonly TestResult[],
): Promise<readonly GraphCoverage[]> {
  const door = await import("./coverage.ts");
  return door.coverageOf(graphs, results);
}
