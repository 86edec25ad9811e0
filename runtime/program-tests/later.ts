/** Loads what runs tests when the first test is run. */
import type { TestIr } from "../../dsl/index.ts";
import type { TestOptions } from "./run-test.ts";
import type { TestResult } from "./test-result.ts";

/** Runs a test and says how it came out; what runs tests is loaded with the first of them. */
export async function runTest(test: TestIr, options?: TestOptions): Promise<TestResult> {
  const door = await import("./run-test.ts");
  return door.runTest(test, options);
}
