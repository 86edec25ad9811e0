/** Branches of a fork take the place of their parent, so all of them have the same. */
import { test, vi } from "vitest";
import { expectFound } from "./found.ts";

vi.mock("../../../../runtime/scheduler/apply.ts", async (original) => {
  const real = await original<typeof import("../../../../runtime/scheduler/apply.ts")>();
  const applyOp: typeof real.applyOp = (program, snapshot, op) => {
    const folded = real.applyOp(program, snapshot, op);
    if (op.op !== "fork") return folded;
    const { frames } = folded.snapshot;
    const [child, parent] = [frames.get(op.frame), frames.get(op.parent)];
    if (child === undefined || parent === undefined) return folded;
    const stale = frames.set(child.id, { ...child, path: [...parent.path, op.seq, 0] });
    return { ...folded, snapshot: { ...folded.snapshot, frames: stale } };
  };
  return { ...real, applyOp };
});

test("a planted bug is found within 2,000 schedules: a stale order key", () => {
  expectFound("a stale order key", ["L15", "L16", "L14"]);
});
