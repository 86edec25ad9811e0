/** Who goes on from the log has forgotten how often arrows were used. */
import { test, vi } from "vitest";
import { expectFound } from "./found.ts";

vi.mock("../../../../runtime/scheduler/fold.ts", async (original) => {
  const real = await original<typeof import("../../../../runtime/scheduler/fold.ts")>();
  const { IntMap } = await import("../../../../runtime/state/persistent.ts");
  const foldLog: typeof real.foldLog = (...given) => {
    const snapshot = real.foldLog(...given);
    let { scopes } = snapshot;
    for (const scope of scopes.values()) {
      scopes = scopes.set(scope.id, { ...scope, counts: IntMap.empty() });
    }
    return { ...snapshot, scopes };
  };
  return { ...real, foldLog };
});

test("a planted bug is found within 2,000 schedules: a counter lost in a crash", () => {
  expectFound("a counter lost in a crash", ["L10"]);
});
