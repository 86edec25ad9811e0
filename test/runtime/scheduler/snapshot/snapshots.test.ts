/** What a decision may not touch, and what a log must give again: snapshots down to their last member. */
import { expect, test, vi } from "vitest";
import { foldLog } from "../../../../runtime/scheduler/fold.ts";
import { isJsonEqual } from "../../../../runtime/state/json.ts";
import { plainSnapshot, plainTrail } from "../../../support/plain-snapshot.ts";
import { programOf, schedulesOf } from "../../laws/schedules.ts";

const decisions = vi.hoisted(() => ({ count: 0, changed: [] as unknown[] }));

vi.mock("../../../../runtime/scheduler/advance.ts", async (original) => {
  const real = await original<typeof import("../../../../runtime/scheduler/advance.ts")>();
  const plain = await import("../../../support/plain-snapshot.ts");
  const advance: typeof real.advance = (program, snapshot, completion) => {
    const before = plain.plainSnapshot(snapshot);
    try {
      return real.advance(program, snapshot, completion);
    } finally {
      decisions.count += 1;
      if (!isJsonEqual(plain.plainSnapshot(snapshot), before)) decisions.changed.push(completion);
    }
  };
  return { ...real, advance };
});

test("a decision leaves the snapshot that it is made on as it was, and its log folds to the same", () => {
  for (let seed = 2_000_000; seed < 2_000_006; seed += 1) {
    for (const { ran } of schedulesOf(programOf(seed), seed)) {
      const again = foldLog(ran.program, ran.records);
      expect(plainSnapshot(again)).toEqual(plainSnapshot(ran.snapshot));
      expect(plainTrail(ran.program, again)).toEqual(plainTrail(ran.program, ran.snapshot));
    }
  }
  expect(decisions.changed).toEqual([]);
  expect(decisions.count).toBeGreaterThan(1_000);
});
