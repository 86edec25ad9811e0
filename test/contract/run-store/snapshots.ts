/** Where a run stood is given back as it was stored, and only while the log has what it stands behind. */
import { describe, expect, test } from "vitest";
import type { Chunk } from "../../../runtime/scheduler/snapshot/long-lists.ts";
import { packChunk } from "../../../runtime/store/log/chunk-bytes.ts";
import type { StoredSnapshot } from "../../../runtime/store/run-store.ts";
import { meta, owner, running } from "../../runtime/store/runs.ts";
import { fill, type Setting } from "./setting.ts";

/** So long that no compression makes it short. */
const noise = Array.from({ length: 300 }, (_, index) => Math.sin(index)).join();

function standing(seq: number, text = `["${seq} ü"]`): StoredSnapshot {
  return { seq, steps: seq, since: seq, graphHash: "hash-of-Tiny", layout: 1, text };
}

export function snapshotContract(name: string, setting: () => Setting): void {
  describe(`${name}: snapshots`, () => {
    test("the last one of a run that was stored, by whoever opens the store", async () => {
      const { store, again } = setting();
      const log = store.create(meta("a"), owner("one"));
      fill(log, 0, 9);
      await log.flush();
      expect(store.snapshots.get("a")).toBeUndefined();
      store.snapshots.put("a", standing(4));
      store.snapshots.put("a", { ...standing(7), since: 3 });
      expect(again().snapshots.get("a")).toEqual({ ...standing(7), since: 3 });
      expect(store.snapshots.get("b")).toBeUndefined();
      await log.close();
    });

    test("the last one before a step, no further than behind a record", async () => {
      const { store, again } = setting();
      const log = store.create(meta("a"), owner("one"));
      fill(log, 0, 9);
      await log.close();
      for (const seq of [1, 4, 7]) store.snapshots.put("a", { ...standing(seq), steps: seq + 10 });
      const { snapshots } = again();
      const found = (step: number, upTo: number) => snapshots.before("a", { step, upTo })?.seq;
      expect([found(99, 9), found(17, 9), found(14, 9), found(11, 9)]).toEqual([
        7,
        4,
        1,
        undefined,
      ]);
      expect([found(99, 6), found(99, 4), found(99, 0)]).toEqual([4, 4, undefined]);
    });

    test("those that take more room than the log go when the next one comes", async () => {
      const { store } = setting();
      const log = store.create(meta("a"), owner("one"));
      fill(log, 0, 9);
      await log.close();
      const long = (seq: number) => standing(seq, `["${"x".repeat(150)}"]`);
      for (const seq of [1, 4, 5, 8]) store.snapshots.put("a", long(seq));
      const kept = [2, 5, 6, 9].map((step) => store.snapshots.before("a", { step, upTo: 9 })?.seq);
      expect(kept).toEqual([undefined, 4, 4, 8]);
    });

    test("chunks of long lists stay as long as a snapshot that is kept names them", async () => {
      const { store, again } = setting();
      const log = store.create(meta("a"), owner("one"));
      fill(log, 0, 9);
      await log.close();
      const put = (seq: number, fresh: readonly Chunk[], named: readonly Chunk[]) =>
        store.snapshots.put("a", standing(seq), {
          named: new Set(named.map(({ hash }) => hash)),
          fresh: new Map(fresh.map(({ hash, bytes }) => [hash, bytes])),
        });
      const kept = () => chunks.map(({ hash }) => again().snapshots.chunk("a", hash));
      const chunks = ["one", "two", noise].map(packChunk);
      const [one, two, three] = chunks as [Chunk, Chunk, Chunk];
      expect(put(1, [one], [one])).toBe(true);
      expect(put(3, [two, three], [one, two, three])).toBe(true);
      expect(kept()).toEqual(chunks.map(({ bytes }) => new Uint8Array(bytes)));
      // The one behind record 3 is longer with its chunks than what the log has: it goes.
      expect(put(5, [], [one, two])).toBe(true);
      expect(store.snapshots.before("a", { step: 5, upTo: 9 })?.seq).toBe(1);
      expect(kept()).toEqual([...kept().slice(0, 2), undefined]);
      expect(kept()[1]).toEqual(new Uint8Array(two.bytes));
      expect(put(99, [three], [three])).toBe(false);
      expect(kept()[2]).toBeUndefined();
      store.delete("a");
      expect(kept()).toEqual([undefined, undefined, undefined]);
    });

    test("none behind a record that is not stored, and none of a run that is not there", async () => {
      const { store } = setting();
      const log = store.create(meta("a"), owner("one"));
      fill(log, 0, 9);
      store.snapshots.put("a", standing(4));
      expect(store.snapshots.get("a")).toBeUndefined();
      await log.flush();
      store.snapshots.put("a", standing(10));
      store.snapshots.put("b", standing(1));
      expect(store.snapshots.get("a")).toBeUndefined();
      expect(store.snapshots.get("b")).toBeUndefined();
      await log.close();
    });

    test("it goes with its run, and does not come back with another one of its id", async () => {
      const { store } = setting();
      const log = store.create(meta("a"), owner("one"));
      fill(log, 0, 9);
      await log.close();
      store.snapshots.put("a", standing(9));
      const run = { meta: meta("a"), summary: running, records: store.read("a") };
      store.restore(run, { replace: true });
      expect(store.snapshots.get("a")).toBeUndefined();
      store.snapshots.put("a", standing(9));
      store.delete("a");
      store.restore(run);
      expect(store.snapshots.get("a")).toBeUndefined();
    });
  });
}
