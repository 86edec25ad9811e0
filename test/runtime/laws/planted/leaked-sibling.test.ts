/** What ran beside a failure is never cancelled. */
import { test, vi } from "vitest";
import { expectFound } from "./found.ts";

vi.mock("../../../../runtime/scheduler/advance.ts", async (original) => {
  const real = await original<typeof import("../../../../runtime/scheduler/advance.ts")>();
  return {
    ...real,
    advance: (...given: Parameters<typeof real.advance>) => tampered(real.advance(...given)),
  };
});

type Advance = ReturnType<typeof import("../../../../runtime/scheduler/advance.ts").advance>;

function tampered(result: Advance): Advance {
  return { ...result, cancels: [] };
}

test("a planted bug is found within 2,000 schedules: a leaked sibling", () => {
  expectFound("a leaked sibling", ["L7"]);
});
