/** Stored snapshots: out of its text a snapshot is what it was, and what follows is folded from it as from the first record on. */
import { isDeepStrictEqual as isSame } from "node:util";
import { expect, test } from "vitest";
import { applyRecord, foldLog } from "../../../../runtime/scheduler/fold.ts";
import {
  emptySnapshot,
  type Snapshot,
  Trail,
} from "../../../../runtime/scheduler/snapshot/snapshot.ts";
import { snapshotIn, snapshotText } from "../../../../runtime/scheduler/snapshot/snapshot-text.ts";
import { plainSnapshot, plainTrail } from "../../../support/plain-snapshot.ts";
import type { Ran } from "../../../support/run-graph.ts";
import { programOf, schedulesOf } from "../../laws/schedules.ts";

const PROGRAMS = 40;
const LENGTH_MAX = 1_000_000;

function again({ program }: Ran, snapshot: Snapshot): Snapshot {
  const text = snapshotText(snapshot, LENGTH_MAX) ?? "none";
  const found = snapshotIn(text, { program, trail: Trail.later({ read: () => snapshot.trail }) });
  if (found === undefined) throw new Error("a called graph is another one");
  return found;
}

/** The first text is stored right behind record `cut`. */
function differs(ran: Ran, cut: number): string | undefined {
  const { program, records } = ran;
  const there = foldLog(program, records.slice(0, cut));
  let at = again(ran, there);
  if (!isSame(plainSnapshot(at), plainSnapshot(there))) return `behind ${cut} itself`;
  for (const record of records.slice(cut)) at = applyRecord(program, at, record, record.at);
  const whole = foldLog(program, records);
  if (!isSame(plainSnapshot(at), plainSnapshot(whole))) return `from ${cut} on`;
  return isSame(plainTrail(program, at), plainTrail(program, whole))
    ? undefined
    : `back from ${cut}`;
}

/** Each program in another one of its schedules: with crashes, people, failures. */
function* schedules(): Generator<Ran> {
  for (let seed = 1; seed <= PROGRAMS; seed += 1) {
    let count = 0;
    for (const { ran } of schedulesOf(programOf(seed), seed)) {
      count += 1;
      if (count <= seed % 5) continue;
      yield ran;
      break;
    }
  }
}

test("random programs: folded from a stored snapshot, a log comes to what it comes to from its start", () => {
  const called = { cuts: 0 };
  for (const ran of schedules()) {
    const { length } = ran.records;
    const calls = ran.records.findIndex(({ kind }) => kind === "sub") + 1;
    called.cuts += calls === 0 ? 0 : 1;
    for (const cut of [calls || 1, length >> 1, length]) {
      expect([cut, differs(ran, cut)]).toEqual([cut, undefined]);
    }
    expect(isSame(plainSnapshot(again(ran, ran.snapshot)), plainSnapshot(ran.snapshot))).toBe(true);
  }
  expect(called.cuts).toBeGreaterThan(2);
});

const trail = Trail.empty;
const program = { nodes: [] } as never;

test.each([
  ["an odd name", { $artifact: 1, __proto__: null, '"': [], "": {} }],
  ["a name that means something to JavaScript", JSON.parse('{"__proto__": {"a": [1]}, "b": 2}')],
  ["what looks like a reference", [[3], [], { a: [0] }]],
  ["undefined", { a: undefined }],
  ["text of all kinds", ["\u2028", "ä\ud800", "\0"]],
])("%s stays what it is", (_, value) => {
  const snapshot = { ...emptySnapshot(), input: { value } };
  const found = snapshotIn(snapshotText(snapshot, LENGTH_MAX) ?? "", { program, trail });
  expect(JSON.stringify(found?.input)).toBe(JSON.stringify(snapshot.input));
  expect(Object.keys(found?.input.value as object)).toEqual(Object.keys(value));
});

test("what is shared stays shared, however deep it is", () => {
  let deep: unknown = { end: true };
  for (let level = 0; level < 50_000; level += 1) deep = { deep };
  const snapshot = { ...emptySnapshot(), input: { one: deep, other: deep } };
  const text = snapshotText(snapshot, LENGTH_MAX * 2) ?? "";
  const found = snapshotIn(text, { program, trail });
  expect(found?.input.one).toBe(found?.input.other);
});

test.each([
  ["too long", "x".repeat(2_000)],
  ["no JSON", new Date(0)],
  ["one that says itself what it is in JSON", { toJSON: () => 1 }],
])("a snapshot with a value that is %s has no text", (_, value) => {
  const snapshot = { ...emptySnapshot(), input: { value } };
  expect(snapshotText(snapshot, 2_500)).toBeUndefined();
});

test("an empty snapshot is not too long for that", () => {
  expect(snapshotText(emptySnapshot(), 2_500)).toBeDefined();
});
