import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestModule } from "vitest/node";

export interface TestResult {
  readonly title: string;
  readonly file: string;
  readonly status: "passed" | "failed" | "skipped" | "pending";
}

/** What the last whole or partial test run left for `npm run rows`. */
export const lastRun = join(import.meta.dirname, "../../node_modules/.cache/madrigal/tests.json");

/** Prints `N passed, N failed, N skipped` as the last line of a test run, which is all that CI reads. */
export default class Tally {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const results = modules.flatMap(resultsOf);
    mkdirSync(dirname(lastRun), { recursive: true });
    writeFileSync(lastRun, JSON.stringify(results));
    const count = (wanted: TestResult["status"]) =>
      results.filter(({ status }) => status === wanted).length;
    // A file that can't even be loaded has no test that could fail.
    const unloaded = modules.filter((module) => module.errors().length > 0).length;
    const failed = count("failed") + unloaded + errors.length;
    const skipped = count("skipped") + count("pending");
    console.log(`${count("passed")} passed, ${failed} failed, ${skipped} skipped`);
  }
}

function resultsOf(module: TestModule): readonly TestResult[] {
  return [...module.children.allTests()].map((test) => ({
    title: test.name,
    file: module.relativeModuleId,
    status: test.result().state,
  }));
}
