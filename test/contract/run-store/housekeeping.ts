/** Runs, threads and artifacts go when they are told to, whole and for good, and nothing else goes with them. */
import { describe, expect, test } from "vitest";
import type { RunStore } from "../../../runtime/store/run-store.ts";
import { noUsage } from "../../../runtime/usage.ts";
import { errorOf } from "../../runtime/store/fixtures.ts";
import { meta, owner, record, records, running } from "../../runtime/store/runs.ts";
import { fill, type Setting } from "./setting.ts";

const hour = 3_600_000;

export function housekeepingContract(name: string, setting: () => Setting): void {
  describe(`${name}: what goes`, () => {
    test("a deleted run is gone, and the others are as they were", async () => {
      const { store, again } = setting();
      for (const runId of ["a", "b"]) await ended(store, runId);
      store.delete("a");
      expect(
        again()
          .list()
          .map((run) => run.runId),
      ).toEqual(["b"]);
      expect(again().read("b")).toEqual(records(0, 3));
      expect(again().meta("b")).toEqual(meta("b"));
      for (const use of [
        () => store.read("a"),
        () => store.meta("a"),
        () => store.open("a", owner("one")),
        () => store.delete("a"),
      ]) {
        expect(await errorOf(use)).toContain("M5107 no run is called `a`");
      }
      expect(store.deleted()).toEqual(["a"]);
    });

    test("a run that somebody drives can't be deleted, nor its thread", async () => {
      const { store, again, dead } = setting();
      await ended(store, "b");
      const log = store.create(meta("a"), owner("one", { pid: 1 }));
      fill(log, 0, 0);
      await log.flush();
      expect(await errorOf(() => again().delete("a"))).toContain("M5105 run `a` is driven by one");
      expect(await errorOf(() => again().deleteThread("thread-1"))).toContain("M5105");
      expect(again().list()).toHaveLength(2);
      dead.add(1);
      again().delete("a");
      expect(again().deleted()).toEqual(["a"]);
      // What a process writes that was taken for dead is refused, as for any run that it lost.
      fill(log, 1, 1);
      expect(await errorOf(() => log.flush())).toContain("M5106");
    });

    test("a thread goes with all its runs and what it keeps; a user's fields stay", async () => {
      const { store, again } = setting();
      await ended(store, "a");
      await ended(store, "b");
      await ended(store, "c", { threadId: "thread-2" });
      expect(store.deleteThread("thread-1").toSorted()).toEqual(["a", "b"]);
      expect(
        again()
          .list()
          .map((run) => run.runId),
      ).toEqual(["c"]);
      expect(again().kept({ scope: "thread", owner: "thread-1" })).toEqual([]);
      expect(again().kept({ scope: "thread", owner: "thread-2" })).toHaveLength(1);
      expect(again().kept({ scope: "user", owner: "me" })).toMatchObject([{ value: 3 }]);
      expect(await errorOf(() => store.deleteThread("thread-1"))).toContain(
        "M5107 no thread is called `thread-1`",
      );
    });

    test("pruning takes ended runs by their age, and leaves the newest of each thread", async () => {
      const { store, clock } = setting();
      for (const [index, runId] of ["a", "b", "c"].entries()) {
        await ended(store, runId, { createdAt: index });
      }
      await ended(store, "d", { threadId: "thread-2" });
      for (const [runId, status] of [
        ["w", "waiting"],
        ["p", "paused"],
      ] as const) {
        const held = store.create(meta(runId, { threadId: "thread-3" }), owner("one"));
        held.append(record(0), { ...running, status });
        await held.close();
      }
      clock.sleep(hour);
      expect(store.prune({ olderThanMs: 2 * hour }).runIds).toEqual([]);
      const options = { olderThanMs: hour, keep: 1 };
      expect(store.prune({ ...options, isTrial: true }).runIds.toSorted()).toEqual(["a", "b"]);
      expect(store.list()).toHaveLength(6);
      expect(store.prune(options).runIds.toSorted()).toEqual(["a", "b"]);
      expect(ids(store)).toEqual(["c", "d", "p", "w"]);
      expect(store.prune({ olderThanMs: 0 }).runIds.toSorted()).toEqual(["c", "d"]);
      expect(ids(store)).toEqual(["p", "w"]);
    });

    test("an artifact goes when no run names it any more", async () => {
      const { store, again, clock } = setting();
      const page = "page ".repeat(80_000);
      const chart = store.artifacts.put(bytesOf("a chart"), { kind: "chart", mime: "a/b" });
      const both = store.artifacts.put(bytesOf("both"), { kind: "file", mime: "a/b" });
      const unnamed = store.artifacts.put(bytesOf("unnamed"), { kind: "file", mime: "a/b" });
      await ended(store, "a", {}, [{ page }, { chart: chart.hash, both: `see ${both.hash}.` }]);
      await ended(store, "b", {}, [{ page }, { both: [{ hash: both.hash }] }]);
      clock.sleep(hour);
      expect(store.prune()).toEqual({ runIds: [], artifacts: 1, bytes: 7 });
      expect(await errorOf(() => again().artifacts.get(unnamed.hash))).toContain("M5109");
      expect(again().artifacts.info(unnamed.hash)).toBeUndefined();
      store.delete("a");
      expect(store.prune()).toMatchObject({ artifacts: 1 });
      expect([...again().artifacts.get(both.hash)]).toEqual([...bytesOf("both")]);
      expect(again().read("b")[0]).toEqual(record(0, { page }));
      store.delete("b");
      expect(store.prune().artifacts).toBeGreaterThan(0);
      expect(await errorOf(() => again().artifacts.get(both.hash))).toContain("M5109");
    });

    test("what a run under way has put stays, though no record names it yet", async () => {
      const { store, again, clock } = setting();
      const old = store.artifacts.put(bytesOf("old"), { kind: "file", mime: "a/b" });
      clock.sleep(hour);
      const log = store.create(meta("a", { durability: "exit" }), owner("one"));
      const put = store.artifacts.put(bytesOf("new"), { kind: "file", mime: "a/b" });
      await clock.advance(hour);
      expect(again().prune()).toEqual({ runIds: [], artifacts: 1, bytes: 3 });
      expect(again().artifacts.info(old.hash)).toBeUndefined();
      log.append(record(0, put.hash), running);
      await log.close();
      expect(again().prune()).toMatchObject({ artifacts: 0 });
      expect([...again().artifacts.get(put.hash)]).toEqual([...bytesOf("new")]);
    });

    test("equal bytes that are put again are new again", async () => {
      const { store, again, clock } = setting();
      const info = { kind: "file", mime: "a/b" };
      const { hash } = store.artifacts.put(bytesOf("again"), info);
      clock.sleep(hour);
      store.artifacts.put(bytesOf("again"), info);
      clock.sleep(30_000);
      expect(again().prune()).toMatchObject({ artifacts: 0 });
      clock.sleep(hour);
      expect(again().prune()).toMatchObject({ artifacts: 1 });
      expect(again().artifacts.info(hash)).toBeUndefined();
    });
  });
}

/** A run of a few records that has ended; its thread and its user keep what it wrote. */
async function ended(
  store: RunStore,
  runId: string,
  more: Parameters<typeof meta>[1] = {},
  values: readonly unknown[] = ["value 0", "value 1", "value 2"],
): Promise<void> {
  const of = meta(runId, more);
  const log = store.create(of, owner("one"));
  for (const [seq, value] of values.entries()) log.append(record(seq, value), running);
  const count = (stored: unknown) => Number(stored ?? 0) + 1;
  const kept = [
    { scope: "thread", owner: of.threadId, field: "seen", update: () => runId },
    { scope: "user", owner: "me", field: "count", update: count },
  ] as const;
  log.append(record(values.length), { status: "succeeded", steps: 1, usage: noUsage, kept });
  await log.close();
}

function ids(store: RunStore): string[] {
  return store
    .list()
    .map((run) => run.runId)
    .toSorted();
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
