/** Starts the test files that take longest before all others, so that no worker is left alone with one of them at the end. */
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Each takes over 30 seconds on two idle cores, most of it in processes that it starts. Sorted by what they take. */
export const LONG_FILES: readonly string[] = [
  "test/dsl/manual/guide.test.ts",
  "test/runtime/kills/kills.test.ts",
  "test/jupyterlab/kept.test.ts",
  "test/runtime/laws/laws.test.ts",
  "test/jupyterlab/notebook.test.ts",
  "test/packaging/package.test.ts",
  "test/packaging/wheel.test.ts",
  "test/kernel/types/labels.test.ts",
  "test/main-job/start.test.ts",
  "test/kernel/notebook/exec.test.ts",
];

/** Vitest's own order, which begins with what took long the last time, knows nothing of it in a fresh clone. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG_FILES.indexOf(relative(this.ctx.config.root, moduleId));
      return at === -1 ? LONG_FILES.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
