/** A join believes that nothing can come any more: it fires at each arrival, and again in the same round. */
import { test, vi } from "vitest";
import { expectFound } from "./found.ts";

vi.mock("../../../../runtime/scheduler/flow/joins.ts", async (original) => {
  const real = await original<typeof import("../../../../runtime/scheduler/flow/joins.ts")>();
  const nextJoin: typeof real.nextJoin = (program, snapshot, scope) => {
    const found = real.nextJoin(program, snapshot, scope);
    const [armed] = [...scope.armed.entries()].map(([index]) => program.joins[index]);
    return found ?? (armed === undefined ? undefined : { join: armed, isReachable: true });
  };
  return { ...real, nextJoin };
});

test("a planted bug is found within 2,000 schedules: a join that fires twice", () => {
  expectFound("a join that fires twice", ["L5"]);
});
