/** Nothing is frozen, so a function that changes what it is given changes the state behind the log. */
import { test, vi } from "vitest";
import { expectFound } from "./found.ts";

vi.mock("../../../../runtime/state/json.ts", async (original) => {
  const real = await original<typeof import("../../../../runtime/state/json.ts")>();
  return { ...real, freezeJson: <T>(value: T) => value };
});

test("a planted bug is found within 2,000 schedules: a mutation that leaks", () => {
  expectFound("a mutation that leaks", ["L2", "L13", "L15", "L16", "L14"]);
});
