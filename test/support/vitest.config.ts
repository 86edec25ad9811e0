import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongFirst } from "./workers/long-first.ts";
import { sortFiles } from "./workers/together.ts";

const { mocking, together } = sortFiles();
const installed = "**/node_modules/**";
const setUp = (name: string) => join(import.meta.dirname, "workers", name);
/** Node loads the files by itself, from caches. Only where modules are mocked vitest's own loader is needed. */
const byNode = {
  setupFiles: setUp("setup-native.js"),
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

export default defineConfig({
  test: {
    dir: "test",
    // Half of a test's time is waiting for processes. Six leave nothing of two cores idle, and the whole takes as long.
    maxWorkers: 4,
    // The threads that tests start strip the types of our files once.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, "../../node_modules/.cache/madrigal/tests"),
    },
    reporters: ["default", "./test/support/tally.ts"],
    sequence: { sequencer: LongFirst },
    // A limit ends what hangs, and measures nothing: a busy machine takes ten times as long as an idle one, the soak twenty times.
    testTimeout: process.env.MADRIGAL_SOAK === undefined ? 180_000 : 3_600_000,
    hookTimeout: 180_000,
    // The tally names each test that passed only when it was repeated: a race, of the product or of the test, to be mended.
    retry: process.env.CI === undefined ? 0 : 1,
    projects: [
      {
        extends: true,
        test: {
          ...byNode,
          name: "alone",
          include: ["**/*.test.ts"],
          exclude: [installed, ...mocking, ...together],
        },
      },
      {
        extends: true,
        test: { ...byNode, name: "together", include: [...together], isolate: false },
      },
      {
        extends: true,
        test: { name: "mocking", include: [...mocking], setupFiles: setUp("fixed-seeds.ts") },
      },
    ],
  },
});
