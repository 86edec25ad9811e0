import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestCase, TestModule } from "vitest/node";

export interface TestResult {
  readonly title: string;
  readonly file: string;
  readonly status: "passed" | "failed" | "skipped" | "pending";
}

/** What the last whole or partial test run left for `npm run rows`. */
export const lastRun = join(import.meta.dirname, "../../node_modules/.cache/madrigal/tests.json");

/** How long a run must take to be told what took the time, in seconds. */
const LONG_RUN_SECONDS = 300;

/**
 * Prints `N passed, N failed, N skipped` as the last line of a test run, which is all that CI reads; before it, of a long
 * run, the files that took longest, and the tests that passed only when they were repeated.
 */
export default class Tally {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const results = modules.flatMap(resultsOf);
    mkdirSync(dirname(lastRun), { recursive: true });
    writeFileSync(lastRun, JSON.stringify(results));
    printSlowest(modules);
    printFlaky(modules);
    const count = (wanted: TestResult["status"]) =>
      results.filter(({ status }) => status === wanted).length;
    // A file that can't even be loaded has no test that could fail.
    const unloaded = modules.filter((module) => module.errors().length > 0).length;
    const failed = count("failed") + unloaded + errors.length;
    const skipped = count("skipped") + count("pending");
    console.log(`${count("passed")} passed, ${failed} failed, ${skipped} skipped`);
  }
}

/** Prints the dozen files that took longest, each in seconds of the worker that ran it. */
function printSlowest(modules: readonly TestModule[]): void {
  const files = modules.map((module) => {
    const { setupDuration, collectDuration, duration } = module.diagnostic();
    const seconds = (setupDuration + collectDuration + duration) / 1000;
    return { file: module.relativeModuleId, seconds };
  });
  const whole = files.reduce((sum, { seconds }) => sum + seconds, 0);
  if (whole < LONG_RUN_SECONDS) return;
  console.log(`${Math.round(whole)} seconds of all workers, of which`);
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 12);
  for (const { file, seconds } of slowest)
    console.log(`${Math.round(seconds).toString().padStart(6)} ${file}`);
}

/** Prints the tests that failed once and passed when they were repeated, each with why it failed. */
function printFlaky(modules: readonly TestModule[]): void {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const flaky = tests.filter((test) => test.diagnostic()?.flaky);
  if (flaky.length === 0) return;
  console.log(`${flaky.length} passed only when repeated; each is a race to be mended:`);
  for (const test of flaky)
    console.log(`  ${test.module.relativeModuleId} > ${test.fullName}${causeOf(test)}`);
}

function causeOf(test: TestCase): string {
  return (test.result().errors ?? []).map(({ message }) => `\n    ${message}`).join("");
}

function resultsOf(module: TestModule): readonly TestResult[] {
  return [...module.children.allTests()].map((test) => ({
    title: test.name,
    file: module.relativeModuleId,
    status: test.result().state,
  }));
}
