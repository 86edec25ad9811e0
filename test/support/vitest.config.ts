import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    dir: "test",
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    // Most of a test's time is waiting for processes; on two cores the default is one worker, which leaves one of them idle.
    maxWorkers: 2,
    // The threads that tests start strip the types of our files once.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, "../../node_modules/.cache/madrigal/tests"),
    },
    reporters: ["default", "./test/support/tally.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
