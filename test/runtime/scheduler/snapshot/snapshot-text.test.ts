/** Stored snapshots: out of its text a snapshot is what it was, and what follows is folded from it as from the first record on. */
import { isDeepStrictEqual as isSame } from "node:util";
import { describe, expect, test } from "vitest";
import { applyRecord, foldLog } from "../../../../runtime/scheduler/fold.ts";
import type { ReadsChunk } from "../../../../runtime/scheduler/snapshot/long-lists.ts";
import {
  emptySnapshot,
  type Snapshot,
  Trail,
} from "../../../../runtime/scheduler/snapshot/snapshot.ts";
import { snapshotIn, snapshotText } from "../../../../runtime/scheduler/snapshot/snapshot-text.ts";
import { IntMap, SharedList } from "../../../../runtime/state/persistent.ts";
import { packChunk, unpackChunk } from "../../../../runtime/store/log/chunk-bytes.ts";
import { plainSnapshot, plainTrail } from "../../../support/plain-snapshot.ts";
import type { Ran } from "../../../support/run-graph.ts";
import { programOf, schedulesOf } from "../../laws/schedules.ts";

const pack = packChunk;
const PROGRAMS = 40;
const LENGTH_MAX = 1_000_000;

function written(
  snapshot: Snapshot,
  lengthMax = LENGTH_MAX,
  stored: ReadonlySet<string> = new Set(),
) {
  const isStored = (hash: string) => stored.has(hash);
  return snapshotText(snapshot, { lengthMax, chunksLengthMax: LENGTH_MAX, isStored, pack });
}

function readsFrom(all: ReadonlyMap<string, Uint8Array>): ReadsChunk {
  return (hash) => {
    const bytes = all.get(hash);
    return bytes && (() => unpackChunk(bytes));
  };
}

function readIn(text: string, bytes: ReadonlyMap<string, Uint8Array> = new Map()) {
  return snapshotIn(text, { program, trail, chunk: readsFrom(bytes) })?.snapshot;
}

function again({ program }: Ran, snapshot: Snapshot): Snapshot {
  const { text, chunks } = written(snapshot) ?? {};
  const found = snapshotIn(text ?? "none", {
    program,
    trail: Trail.later({ read: () => snapshot.trail }),
    chunk: readsFrom(chunks?.fresh ?? new Map()),
  });
  if (found === undefined) throw new Error("a called graph is another one");
  return found.snapshot;
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
  const found = readIn(written(snapshot)?.text ?? "");
  expect(JSON.stringify(found?.input)).toBe(JSON.stringify(snapshot.input));
  expect(Object.keys(found?.input.value as object)).toEqual(Object.keys(value));
});

test("what is shared stays shared, however deep it is", () => {
  let deep: unknown = { end: true };
  for (let level = 0; level < 50_000; level += 1) deep = { deep };
  const snapshot = { ...emptySnapshot(), input: { one: deep, other: deep } };
  const found = readIn(written(snapshot, LENGTH_MAX * 2)?.text ?? "");
  expect(found?.input.one).toBe(found?.input.other);
});

test.each([
  ["too long", "x".repeat(2_000)],
  ["no JSON", new Date(0)],
  ["one that says itself what it is in JSON", { toJSON: () => 1 }],
])("a snapshot with a value that is %s has no text", (_, value) => {
  const snapshot = { ...emptySnapshot(), input: { value } };
  expect(written(snapshot, 2_500)).toBeUndefined();
});

test("an empty snapshot is not too long for that", () => {
  expect(written(emptySnapshot(), 2_500)).toBeDefined();
});

const ITEMS: Readonly<Record<string, (index: number) => unknown>> = {
  numbers: (index) => index,
  texts: (index) => `${index} ${"ä".repeat(100)}`,
  objects: (index) => ({ index, in: [[index], { none: undefined }], __proto__: null }),
  "texts as long as a chunk": (index) => `${index}`.repeat(20_000),
};

/** The values of a field, of a frame and of the output: the same items in two forms. */
function standing(list: SharedList<unknown>): Snapshot {
  const shown = IntMap.of([{ value: list, keys: SharedList.of([[1]]) }]);
  return { ...emptySnapshot(), shown, output: { list: list.toArray() } };
}

describe.each(Object.entries(ITEMS))("long lists of %s", (kind, item) => {
  const lengths = kind.includes("chunk") ? [255, 256, 300] : [255, 256, 4_095, 4_096, 9_000];
  test.each(lengths)("of %i items are read as they were", (length) => {
    const items = Array.from({ length }, (_, index) => item(index));
    const snapshot = standing(SharedList.of(items));
    const max = { lengthMax: 1e8, chunksLengthMax: 1e8, isStored: () => false, pack };
    const { text, chunks } = snapshotText(snapshot, max) ?? {};
    const found = readIn(text ?? "", chunks?.fresh);
    const [{ value } = { value: undefined }] = found?.shown.values() ?? [];
    expect([...(value as SharedList<unknown>)]).toEqual(items);
    expect(found?.output).toEqual({ list: items });
    expect(Object.keys(found?.output ?? {})).toEqual(["list"]);
  });
});

/** 10,000 numbers: two chunks and the beginning of a third. */
const LIST = SharedList.of(Array.from({ length: 10_000 }, (_, index) => index));

test("a long list is in chunks beside the text, once where several lists have its items", () => {
  const first = written(standing(LIST));
  expect(first?.text.length).toBeLessThan(30_000);
  expect(first?.chunks.fresh.size).toBe(2);
});

test("a list that has grown costs its new chunks, also where it was read from a text", () => {
  const first = written(standing(LIST));
  const stored = first?.chunks.named;
  const found = readIn(first?.text ?? "", first?.chunks.fresh);
  const read = found?.shown.get(0)?.value as SharedList<unknown>;
  for (const list of [LIST, read]) {
    const grown = list.append(Array.from({ length: 4_000 }, (_, index) => -index));
    const next = written(standing(grown), LENGTH_MAX, stored);
    expect([next?.chunks.fresh.size, next?.chunks.named.size]).toEqual([1, 3]);
    // Elsewhere it has nothing to be the rest of.
    expect(written(standing(grown))?.chunks.fresh.size).toBe(3);
  }
});

test("a list that went on in two ways has the chunks of each", () => {
  const ways = [1, 2].map((item) => LIST.append(new Array<number>(4_000).fill(item)));
  const hashes = ways.map((way) => [...(written(standing(way))?.chunks.named ?? [])]);
  expect(hashes.map((each) => each.length)).toEqual([3, 3]);
  expect(new Set(hashes.flat()).size).toBe(4);
});

test("a snapshot without one of its chunks can't be read", () => {
  const { text = "", chunks } = written(standing(LIST)) ?? {};
  const [, ...others] = chunks?.fresh ?? [];
  expect(() => readIn(text, new Map(others))).toThrow(/missing or damaged/);
});

test("chunks that are too long together, or have an item that is no JSON, are none", () => {
  const long = SharedList.of(Array.from({ length: 1_000 }, (_, index) => `${index}`.repeat(1_000)));
  expect(written(standing(long), LENGTH_MAX * 10)).toBeUndefined();
  const dates = SharedList.of<unknown>(Array.from({ length: 300 }, () => new Date(0)));
  const shown = IntMap.of([{ value: dates }]);
  expect(written({ ...emptySnapshot(), shown })).toBeUndefined();
});
