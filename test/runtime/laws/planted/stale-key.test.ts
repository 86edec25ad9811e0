/** Branches of a fork take the place of their parent, so all of them have the same. */
import { test, vi } from "vitest";
import { expectFound } from "./found.ts";

vi.mock("../../../../runtime/scheduler/flow/apply-flow-op.ts", async (original) => {
  const real =
    await original<typeof import("../../../../runtime/scheduler/flow/apply-flow-op.ts")>();
  const applyOp: typeof real.applyOp = (program, draft, op) => {
    const patches = real.applyOp(program, draft, op);
    if (op.op !== "fork") return patches;
    const [child, parent] = [draft.frames.get(op.frame), draft.frames.get(op.parent)];
    if (child === undefined || parent === undefined) return patches;
    draft.frames = draft.frames.set(child.id, { ...child, path: [...parent.path, op.seq, 0] });
    return patches;
  };
  return { ...real, applyOp };
});

test("a planted bug is found within 2,000 schedules: a stale order key", () => {
  expectFound("a stale order key", ["L15", "L16", "L14"]);
});
