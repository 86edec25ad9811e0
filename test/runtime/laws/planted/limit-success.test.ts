/** A limit that was reached ends the run well. */
import { test, vi } from "vitest";
import { expectFound } from "./found.ts";

vi.mock("../../../../runtime/scheduler/flow/settle.ts", async (original) => {
  const real = await original<typeof import("../../../../runtime/scheduler/flow/settle.ts")>();
  const failRun: typeof real.failRun = (failure, at) =>
    failure.class === "limit"
      ? { kind: "end", status: "succeeded", reason: "done", output: {}, patches: [] }
      : real.failRun(failure, at);
  return { ...real, failRun };
});

test("a planted bug is found within 2,000 schedules: a limit counted as success", () => {
  expectFound("a limit counted as success", ["L6"]);
});
