import type { TestModule } from "vitest/node";

/** Prints `N passed, N failed, N skipped` as the last line of a test run, which is all that CI reads. */
export default class Tally {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      // A file that can't even be loaded has no test that could fail.
      if (module.errors().length > 0) count.failed += 1;
    }
    count.failed += errors.length;
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
