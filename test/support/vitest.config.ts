import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    dir: "test",
    include: ["**/*.test.ts"],
    reporters: ["default", "./test/support/tally.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
