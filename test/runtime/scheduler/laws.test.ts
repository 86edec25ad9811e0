/** A few programs of test/runtime/laws, to hear of a broken law soon; and L2 by another's hand: Immer folds the patches too. */
import { applyPatches, enablePatches, type Patch as ImmerPatch } from "immer";
import { expect, test } from "vitest";
import type { LogRecord } from "../../../runtime/records/records.ts";
import { ofKind } from "../../support/run-graph.ts";
import { programOf, schedulesOf } from "../laws/schedules.ts";
import { simulate } from "../laws/simulate.ts";

enablePatches();

test("a few random programs in all their schedules break no law", () => {
  expect(simulate({ from: 1_000_000, to: 1_000_040 }).broken).toEqual([]);
});

test("L2 the patches of the commits fold to the state, whoever folds them", () => {
  for (let seed = 1_000_040; seed < 1_000_060; seed += 1) {
    for (const { ran } of schedulesOf(programOf(seed), seed)) {
      if (ran.verbs > 0) continue;
      const [first] = ofKind(ran.records, "run");
      const folded = ran.records.reduce(
        (state: object, record) => applyPatches(state, patchesOf(record) as ImmerPatch[]),
        { ...first?.state },
      );
      expect(folded).toEqual(ran.state);
    }
  }
});

function patchesOf(record: LogRecord) {
  return "patches" in record ? (record.patches ?? []) : [];
}
