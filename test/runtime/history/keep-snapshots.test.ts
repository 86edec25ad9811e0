/** Snapshots of a run that are stored, or are too long for that. */
import { expect, test } from "vitest";
import { Journal } from "../../../runtime/history/journal.ts";
import { type SnapshotAt, SnapshotKeeper } from "../../../runtime/history/keep-snapshots.ts";
import { emptySnapshot } from "../../../runtime/scheduler/snapshot/snapshot.ts";
import type { StoredSnapshot } from "../../../runtime/store/run-store.ts";

/** Notes the same snapshot behind each of so many records. */
function kept(output: Record<string, unknown>, records: number) {
  const stored: number[] = [];
  const passed: number[] = [];
  const put = (_: string, { seq }: StoredSnapshot) => stored.push(seq) > 0;
  const keeper = new SnapshotKeeper(
    {
      snapshots: { put } as never,
      meta: { runId: "r", graphHash: "h" },
      log: { flushedSeq: Number.POSITIVE_INFINITY },
      isKept: () => true,
      passed: ({ seq }: SnapshotAt) => void passed.push(seq),
    },
    -1,
  );
  const snapshot = { ...emptySnapshot(), output };
  const journal = Journal.of([]);
  for (let seq = 0; seq < records; seq += 1) keeper.note(seq, snapshot, journal);
  const rest = () => keeper.rest(records, snapshot, journal);
  return { stored, passed, rest };
}

test("a snapshot is stored now and then, and the one before it is passed", () => {
  const { stored, passed } = kept({ text: "short" }, 4_000);
  expect(stored).toEqual([1_023, 2_047, 3_071]);
  expect(passed).toEqual([1_023, 2_047]);
});

test("one that is too long to be stored is passed all the same: its records need not be kept at hand", () => {
  const { stored, passed } = kept({ text: "x".repeat(4_000_001) }, 130_000);
  expect(stored).toEqual([]);
  expect(passed).toEqual([1_023, 63_523]);
});

test.each([
  ["without a long list needs some records since the last one", { text: "short" }, [1_023, 2_047]],
  [
    "with a list in chunks stores one whenever it rests",
    { list: Array.from({ length: 5_000 }, () => 1) },
    [1_023, 2_047, 2_100],
  ],
])("a run %s", (_, output, places) => {
  const { stored, rest } = kept(output, 2_100);
  rest();
  expect(stored).toEqual(places);
});
