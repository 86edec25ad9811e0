/** Writes of branches are folded as they come, not by their place in the graph. */
import { test, vi } from "vitest";
import { expectFound } from "./found.ts";

vi.mock("../../../../runtime/state/order-key.ts", async (original) => {
  const real = await original<typeof import("../../../../runtime/state/order-key.ts")>();
  return { ...real, compareKeys: () => 0 };
});

test("a planted bug is found within 2,000 schedules: commit in finishing order", () => {
  expectFound("commit in finishing order", ["L15", "L16", "L14"]);
});
