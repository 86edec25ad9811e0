/** Where a run stood is given back as it was stored, and only while the log has what it stands behind. */
import { describe, expect, test } from "vitest";
import type { StoredSnapshot } from "../../../runtime/store/index.ts";
import { meta, owner, running } from "../../runtime/store/runs.ts";
import { fill, type Setting } from "./setting.ts";

function standing(seq: number, text = `["${seq} ü"]`): StoredSnapshot {
  return { seq, since: seq, graphHash: "hash-of-Tiny", layout: 1, text };
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
