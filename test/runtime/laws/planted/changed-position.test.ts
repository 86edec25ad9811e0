/** Deciding changes the position that it decides on, which somebody may still look at. */
import { test, vi } from "vitest";
import { expectFound } from "./found.ts";

vi.mock("../../../../runtime/scheduler/advance.ts", async (original) => {
  const real = await original<typeof import("../../../../runtime/scheduler/advance.ts")>();
  const advance: typeof real.advance = (program, snapshot, completion) => {
    const result = real.advance(program, snapshot, completion);
    // As a draft that was never copied would.
    if (completion.kind === "succeeded") Object.assign(snapshot, { errors: 1 });
    return result;
  };
  return { ...real, advance };
});

test("a planted bug is found within 2,000 schedules: a position that deciding changes", () => {
  expectFound("a position that deciding changes", ["L2 at each step"]);
});
