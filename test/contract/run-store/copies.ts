/** Whole runs come into a store at once, under their own names or as copies, and go their own ways from there. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogRecord } from "../../../runtime/records/records.ts";
import type { StoredRun, SummaryUpdate } from "../../../runtime/store/run-store.ts";
import { noUsage } from "../../../runtime/usage.ts";
import { errorOf } from "../../runtime/store/fixtures.ts";
import { meta, owner, record, records } from "../../runtime/store/runs.ts";
import { fill, type Setting } from "./setting.ts";

const failed: SummaryUpdate = {
  status: "failed",
  reason: "error",
  steps: 7,
  usage: { ...noUsage, inputTokens: 3 },
  error: { code: "M9000", message: "it broke", node: "search" },
};

export function copyContract(name: string, setting: () => Setting): void {
  describe(`${name}: whole runs`, () => {
    test("a run comes in with its log, how it stood and what it was started with, and goes on", async () => {
      const { store, again } = setting();
      store.restore(stored("a", records(0, 4)));
      const { ir: _ir, ...known } = meta("a");
      expect(again().find("a")).toMatchObject({ runId: known.runId, ...failed, updatedAt: 1_004 });
      expect(again().find("a").owner).toBeUndefined();
      expect(again().meta("a")).toEqual(meta("a"));
      expect(again().read("a")).toEqual(records(0, 4));
      const log = again().open("a", owner("one"));
      expect(log.flushedSeq).toBe(4);
      fill(log, 5, 6);
      await log.close();
      expect(store.read("a")).toEqual(records(0, 6));
    });

    test("a run without a record comes in too", () => {
      const { store } = setting();
      store.restore(stored("a", []));
      expect(store.positions()).toEqual([{ runId: "a", lastSeq: -1, logId: 1 }]);
      expect(store.read("a")).toEqual([]);
    });

    test("an id that is taken is refused, or its run replaced if that is asked for", async () => {
      const { store, again } = setting();
      store.restore(stored("a", records(0, 4)));
      expect(await errorOf(() => again().restore(stored("a", records(0, 1))))).toContain(
        "M5114 there is a run `a` already",
      );
      expect(store.read("a")).toEqual(records(0, 4));
      again().restore(stored("a", records(0, 1)), { replace: true });
      expect(store.read("a")).toEqual(records(0, 1));
      expect(store.deleted()).toEqual([]);
      const log = store.open("a", owner("one"));
      expect(
        await errorOf(() => again().restore(stored("a", records(0, 2)), { replace: true })),
      ).toContain("M5105");
      await log.close();
    });

    test("whoever drove a run before it was deleted and came back doesn't drive it now", async () => {
      const { store, again, dead } = setting();
      const log = store.create(meta("a"), owner("one", { pid: 1 }));
      fill(log, 0, 0);
      await log.flush();
      dead.add(1);
      again().delete("a");
      again().restore(stored("a", records(0, 4)));
      fill(log, 1, 1);
      expect(await errorOf(() => log.flush())).toContain("M5106");
      expect(again().read("a")).toEqual(records(0, 4));
    });

    test("records with a gap are our own fault, and nothing of them is stored", async () => {
      const { store } = setting();
      const gap = [...records(0, 1), record(3)];
      expect(await errorOf(() => store.restore(stored("a", gap)))).toContain("M9000 the records");
      expect(store.list()).toEqual([]);
    });

    test("a fork knows where it comes from, has what it began with, and neither changes the other", async () => {
      const { store, again } = setting();
      const log = store.create(meta("a"), owner("one"));
      fill(log, 0, 4);
      await log.close();
      const forkedFrom = { runId: "a", seq: 2 };
      const fork = { ...meta("b"), forkedFrom };
      store.restore({ meta: fork, summary: failed, records: store.read("a").slice(0, 3) });
      const branch = again().open("b", owner("one"));
      const other = again().open("a", owner("one"));
      branch.append(record(3, "its own"), failed);
      fill(other, 5, 5);
      await Promise.all([branch.close(), other.close()]);
      expect(store.meta("b").forkedFrom).toEqual(forkedFrom);
      expect(store.read("a")).toEqual(records(0, 5));
      expect(store.read("b")).toEqual([...records(0, 2), record(3, "its own")]);
      expect(store.list({ thread: "thread-1" })).toHaveLength(2);
      store.delete("a");
      expect(store.read("b")).toEqual([...records(0, 2), record(3, "its own")]);
    });

    test("a copied thread has the runs, their forks and what the thread keeps, under its own names", async () => {
      const { store, again } = setting();
      const log = store.create(meta("a"), owner("one"));
      const page = "page ".repeat(80_000);
      log.append(record(0, page), {
        ...failed,
        kept: [{ scope: "thread", owner: "thread-1", field: "seen", update: () => ["a"] }],
      });
      await log.close();
      const forkedFrom = { runId: "a", seq: 0 };
      store.restore({
        meta: meta("b", { createdAt: 2_000, forkedFrom }),
        summary: failed,
        records: [record(0, page)],
      });
      let count = 0;
      const newRunId = () => {
        count += 1;
        return `copy-${count}`;
      };
      const of = { from: "thread-1", to: "thread-9", newRunId };
      expect(store.copyThread(of)).toEqual(["copy-1", "copy-2"]);
      const copy = again();
      expect(copy.list({ thread: "thread-9" }).map((run) => run.runId)).toEqual([
        "copy-2",
        "copy-1",
      ]);
      expect(copy.find("copy-1")).toMatchObject({ ...failed, createdAt: 1_000 });
      expect(copy.meta("copy-2")).toEqual(
        meta("copy-2", {
          createdAt: 2_000,
          threadId: "thread-9",
          forkedFrom: { runId: "copy-1", seq: 0 },
        }),
      );
      expect(copy.read("copy-1")).toEqual(store.read("a"));
      expect(copy.kept({ scope: "thread", owner: "thread-9" })).toMatchObject([
        { field: "seen", value: ["a"], runId: "copy-1" },
      ]);
      copy.deleteThread("thread-1");
      expect(copy.read("copy-2")).toEqual([record(0, page)]);
      expect(await errorOf(() => copy.copyThread(of))).toContain("M5107 no thread is called");
      expect(
        await errorOf(() => copy.copyThread({ ...of, from: "thread-9", to: "thread-9" })),
      ).toContain("M5115 there is a thread `thread-9` already");
    });

    test("whatever JSON a record has comes back as it was, however it came in", async () => {
      const json = fc.jsonValue({ stringUnit: "binary" });
      await fc.assert(
        fc.asyncProperty(fc.array(json, { maxLength: 6 }), async (values) => {
          const { store, again } = setting();
          const all = values.map((value, seq) => patched(seq, JSON.parse(JSON.stringify(value))));
          const log = store.create(meta("a"), owner("one"));
          for (const each of all) log.append(each, failed);
          await log.close();
          expect(again().read("a")).toEqual(all);
          again().restore(stored("b", again().read("a")));
          expect(again().read("b")).toEqual(all);
        }),
        { numRuns: 15 },
      );
    });
  });
}

function stored(runId: string, log: readonly LogRecord[]): StoredRun {
  return { meta: meta(runId), summary: failed, records: log };
}

/** A commit that puts a value into the state, at a place that is named by what it holds. */
function patched(seq: number, value: unknown): LogRecord {
  return {
    seq,
    at: 1_000 + seq,
    kind: "commit",
    step: seq + 1,
    id: seq,
    node: "search",
    attempt: 1,
    usage: noUsage,
    writes: [{ field: "found", value }],
    ownWrites: 1,
    patches: [{ op: "replace", path: ["found", seq], value }],
    flow: [],
  };
}
