import { expect, test } from "vitest";
import type { LogRecord } from "../../../../runtime/records/records.ts";
import { RecordsAtHand } from "../../../../runtime/store/log/records-at-hand.ts";

const record = (seq: number): LogRecord => ({ kind: "control", verb: "release", seq, at: seq });
const seqs = (records: readonly LogRecord[] | undefined) => records?.map(({ seq }) => seq);

test("the run that was written first goes when all of them are too long", () => {
  const atHand = new RecordsAtHand();
  for (const [index, runId] of ["a", "b", "c"].entries()) {
    atHand.add(runId, [record(index)], 7_000_000);
  }
  expect(seqs(atHand.take("a", { after: -1, upTo: 0 }))).toBeUndefined();
  expect(seqs(atHand.take("b", { after: 0, upTo: 1 }))).toEqual([1]);
  expect(seqs(atHand.take("c", { after: 1, upTo: 2 }))).toEqual([2]);
  // There is room again.
  atHand.add("d", [record(0)], 15_000_000);
  expect(seqs(atHand.take("d", { after: -1, upTo: 0 }))).toEqual([0]);
});

test("a gap, or an end that is not that of the log, gives nothing", () => {
  const atHand = new RecordsAtHand();
  atHand.add("a", [record(3), record(4)], 10);
  expect(seqs(atHand.take("a", { after: 1, upTo: 4 }))).toBeUndefined();
  atHand.add("a", [record(3), record(4)], 10);
  expect(seqs(atHand.take("a", { after: 2, upTo: 5 }))).toBeUndefined();
  atHand.add("a", [record(3), record(4)], 10);
  expect(seqs(atHand.take("a", { after: 3, upTo: 4 }))).toEqual([4]);
});
