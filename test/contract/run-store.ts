import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunLog, RunStore, StoreOptions } from "../../runtime/store/index.ts";
import { noUsage } from "../../runtime/usage.ts";
import {
  errorOf,
  hostWith,
  type ManualClock,
  manualClock,
  promisesRun,
} from "../runtime/store/fixtures.ts";
import { meta, owner, record, records, running } from "../runtime/store/runs.ts";

/** A store and how to come back to it, as another process would. */
export interface Subject {
  readonly store: RunStore;
  again(): RunStore;
}

interface Setting extends Subject {
  readonly clock: ManualClock;
  readonly dead: Set<number>;
}

/** What every store of runs promises. */
export function runStoreContract(name: string, open: (options: StoreOptions) => Subject): void {
  function setting(): Setting {
    const clock = manualClock();
    const dead = new Set<number>();
    const subject = open({ clock, liveness: hostWith(dead) });
    return { store: subject.store, again: () => subject.again(), clock, dead };
  }

  describe(`${name}: the log`, () => {
    test("what is flushed can be read, what is not can't", async () => {
      const { store } = setting();
      const log = store.create(meta("a"), owner("one"));
      fill(log, 0, 2);
      expect(store.read("a")).toEqual([]);
      expect(log.flushedSeq).toBe(-1);
      await log.flush();
      fill(log, 3, 4);
      expect(store.read("a")).toEqual(records(0, 2));
      expect(log.flushedSeq).toBe(2);
      await log.close();
      expect(store.read("a")).toEqual(records(0, 4));
    });

    test("reading after a record, in the middle of a segment too", async () => {
      const { store } = setting();
      const log = store.create(meta("a"), owner("one"));
      fill(log, 0, 4);
      await log.flush();
      fill(log, 5, 6);
      await log.flush();
      expect(store.readAfter("a", 2)).toEqual(records(3, 6));
      expect(store.readAfter("a", 4)).toEqual(records(5, 6));
      expect(store.readAfter("a", 6)).toEqual([]);
    });

    test("a run that holds its thread is not created beside another one of it, whoever looked before", async () => {
      const { store, again } = setting();
      const holding = (runId: string) => meta(runId, { holdsThread: true });
      const first = store.create(holding("a"), owner("one"));
      const other = again();
      const refused = await errorOf(() => other.create(holding("b"), owner("two")));
      expect(refused).toContain("M5350 thread `thread-1` is held by run `a`, which is created");
      expect(other.list().map(({ runId }) => runId)).toEqual(["a"]);
      // Who keeps nothing there, and who has another thread, may run beside it.
      await other.create(meta("c"), owner("two")).close();
      await other.create(meta("d", { holdsThread: true, threadId: "t2" }), owner("two")).close();
      await first.close();
    });

    test("async stores itself 20 ms after the first append, or at 256 records", async () => {
      const { store, clock } = setting();
      const log = store.create(meta("a"), owner("one"));
      fill(log, 0, 0);
      await clock.advance(19);
      expect(log.flushedSeq).toBe(-1);
      await clock.advance(1);
      expect(log.flushedSeq).toBe(0);
      fill(log, 1, 255);
      await promisesRun();
      expect(log.flushedSeq).toBe(0);
      fill(log, 256, 256);
      await promisesRun();
      expect(log.flushedSeq).toBe(256);
    });

    test("exit stores nothing before it is asked to", async () => {
      const { store, clock } = setting();
      const log = store.create(meta("a", { durability: "exit" }), owner("one"));
      fill(log, 0, 299);
      await clock.advance(60_000);
      expect(store.read("a")).toEqual([]);
      await log.flush();
      expect(store.read("a")).toHaveLength(300);
      fill(log, 300, 309);
      await clock.advance(60_000);
      expect(store.read("a")).toHaveLength(300);
      await log.close();
      expect(store.read("a")).toEqual(records(0, 309));
    });

    test("a flush takes what is appended in the same turn", async () => {
      const { store } = setting();
      const log = store.create(meta("a", { durability: "sync" }), owner("one"));
      fill(log, 0, 0);
      const flushed = log.flush();
      fill(log, 1, 1);
      await flushed;
      expect(log.flushedSeq).toBe(1);
    });

    test("a record is stored as it was when it was appended", async () => {
      const { store } = setting();
      const log = store.create(meta("a"), owner("one"));
      const value = { list: [1] };
      log.append(record(0, value), running);
      value.list.push(2);
      await log.flush();
      const [first] = store.read("a");
      expect(first).toEqual(record(0, { list: [1] }));
    });

    test("a record that is not the next one, and a closed log, are our own fault", async () => {
      const { store } = setting();
      const log = store.create(meta("a"), owner("one"));
      fill(log, 0, 1);
      expect(await errorOf(() => log.append(record(3), running))).toContain("M9000 record 3");
      await log.close();
      await log.close();
      expect(await errorOf(() => log.append(record(2), running))).toContain("M9000 the log");
      expect(await errorOf(() => store.create(meta("a"), owner("one")))).toContain(
        "M9000 there is",
      );
    });

    test("large values come back whole, and look-alikes stay what they were", async () => {
      const { store } = setting();
      const log = store.create(meta("a"), owner("one"));
      const page = "näive page ".repeat(40_000);
      const values = [page, { page, note: "short" }, { $artifact: "no", bytes: 1 }, [[page]]];
      for (const [seq, value] of values.entries()) log.append(record(seq, value), running);
      await log.close();
      expect(store.read("a")).toEqual(values.map((value, seq) => record(seq, value)));
    });

    test("any sequence of appends, flushes, closes and crashes leaves exactly the acknowledged prefix", async () => {
      const step = fc.constantFrom("append", "append", "flush", "close", "crash");
      const modes = fc.constantFrom("sync", "async", "exit");
      await fc.assert(
        fc.asyncProperty(modes, fc.array(step, { maxLength: 30 }), async (durability, steps) => {
          const { again, clock, dead, store } = setting();
          let [current, pid] = [store, 1];
          let log = current.create(meta("a", { durability }), owner("p1", { pid }));
          let [appended, acknowledged] = [-1, -1];
          for (const each of steps) {
            if (each === "append") {
              appended += 1;
              log.append(record(appended), running);
              continue;
            }
            if (each === "crash") {
              dead.add(pid);
              appended = acknowledged;
            } else {
              await (each === "flush" ? log.flush() : log.close());
              acknowledged = appended;
            }
            if (each !== "flush") {
              pid += 1;
              current = again();
              log = current.open("a", owner(`p${pid}`, { pid }));
              expect(log.flushedSeq).toBe(acknowledged);
            }
            expect(current.read("a")).toEqual(records(0, acknowledged));
          }
          expect(clock.now()).toBe(10_000);
        }),
        { numRuns: 40 },
      );
    });
  });

  describe(`${name}: who drives a run`, () => {
    test("a second driver is refused, and told whom to wait for", async () => {
      const { store, again } = setting();
      store.create(meta("a"), owner("kernel-1", { pid: 4_711 }));
      expect(await errorOf(() => again().open("a", owner("command", { pid: 4_712 })))).toBe(
        "M5105 run `a` is driven by kernel-1 (pid 4711 on here, since 1970-01-01T00:00:10.000Z) (wait until it has ended, or stop that process; reading the run is always possible)",
      );
      expect(store.find("a").owner).toContain("kernel-1 (pid 4711 on here");
      expect(await errorOf(() => store.open("a", owner("kernel-1")))).toContain("M5105");
    });

    test("a closed run is free", async () => {
      const { store, again } = setting();
      const log = store.create(meta("a"), owner("one"));
      fill(log, 0, 0);
      await log.close();
      expect(store.find("a").owner).toBeUndefined();
      const next = again().open("a", owner("two"));
      fill(next, 1, 1);
      await next.close();
      expect(store.read("a")).toEqual(records(0, 1));
    });

    test("a dead process has lost its run at once; what it still writes is refused", async () => {
      const { store, again, dead } = setting();
      const log = store.create(meta("a"), owner("one", { pid: 1 }));
      fill(log, 0, 0);
      await log.flush();
      fill(log, 1, 1);
      dead.add(1);
      const next = again().open("a", owner("two", { pid: 2 }));
      expect(await errorOf(() => log.flush())).toContain(
        "M5106 this process no longer drives run `a`; it is with two (pid 2",
      );
      expect(await errorOf(() => log.append(record(2), running))).toContain("M5106");
      expect(await errorOf(() => log.close())).toContain("M5106");
      expect(next.flushedSeq).toBe(0);
      await next.close();
      expect(store.read("a")).toEqual(records(0, 0));
    });

    test("a process of another host has lost its run when its lease ran out", async () => {
      const { store, again, clock } = setting();
      store.create(meta("a"), owner("far", { host: "there" }));
      expect(await errorOf(() => again().open("a", owner("near")))).toContain("M5105");
      clock.sleep(60_000);
      expect(store.find("a").owner).toBeUndefined();
      again().open("a", owner("near"));
      expect(store.find("a").owner).toContain("near");
    });

    test("a lease is renewed while its log is open, without a record", async () => {
      const { store, again, clock } = setting();
      const log = store.create(meta("a"), owner("far", { host: "there" }));
      await clock.advance(300_000);
      expect(await errorOf(() => again().open("a", owner("near")))).toContain("M5105");
      await log.close();
    });

    test("a log that slept past its lease goes on when nobody took the run", async () => {
      const { store, clock } = setting();
      const log = store.create(meta("a"), owner("one"));
      clock.sleep(3_600_000);
      fill(log, 0, 0);
      await log.close();
      expect(store.read("a")).toEqual(records(0, 0));
    });
  });

  describe(`${name}: what is known of runs`, () => {
    test("a run is listed as it stood at its last flush, newest first", async () => {
      const { store } = setting();
      const usage = { ...noUsage, inputTokens: 12, costUsd: null };
      const first = store.create(meta("a"), owner("one"));
      store.create(meta("b", { createdAt: 2_000, threadId: "thread-2" }), owner("one"));
      first.append(record(0), { status: "running", steps: 1, usage: noUsage });
      const error = { code: "M9000", message: "it broke", node: "search" } as const;
      first.append(record(1), { status: "failed", reason: "error", steps: 2, usage, error });
      await first.close();
      expect(store.list().map((run) => run.runId)).toEqual(["b", "a"]);
      expect(store.list({ thread: "thread-1" })).toEqual([
        {
          runId: "a",
          threadId: "thread-1",
          graph: "Tiny",
          graphHash: "hash-of-Tiny",
          status: "failed",
          reason: "error",
          createdAt: 1_000,
          updatedAt: 1_001,
          steps: 2,
          usage,
          error,
        },
      ]);
      expect(store.list({ status: "created" }).map((run) => run.runId)).toEqual(["b"]);
      expect(store.list({ graph: "Other" })).toEqual([]);
      expect(store.list({ limit: 1 }).map((run) => run.runId)).toEqual(["b"]);
      expect(store.positions()).toEqual([
        { runId: "a", lastSeq: 1 },
        { runId: "b", lastSeq: -1 },
      ]);
    });

    test("what a run was started with comes back as it was", () => {
      const { store, again } = setting();
      const full = meta("a", {
        seed: "7",
        file: "a.madrigal",
        config: { depth: [1, { a: null }] },
      });
      store.create(full, owner("one"));
      expect(again().meta("a")).toEqual(full);
    });

    test("a run is found by its id, the beginning of it, or as the last one", async () => {
      const { store } = setting();
      expect(await errorOf(() => store.find("last"))).toContain("M5107 there is no run yet");
      const ids = ["deep-1a", "deep-1b", "deep", "wide-1"];
      for (const [index, id] of ids.entries()) {
        store.create(meta(id, { createdAt: index }), owner("one"));
      }
      expect(store.find("w").runId).toBe("wide-1");
      expect(store.find("deep").runId).toBe("deep");
      expect(store.find("last").runId).toBe("wide-1");
      expect(await errorOf(() => store.find("deep-1"))).toBe(
        "M5108 2 runs begin with `deep-1` (write more of it: `deep-1b`, `deep-1a`)",
      );
      expect(await errorOf(() => store.find("deep-1ax"))).toBe(
        "M5107 no run is called `deep-1ax` (did you mean `deep-1a`?)",
      );
      expect(await errorOf(() => store.find("%"))).toBe(
        "M5107 no run is called `%` (`madrigal runs` lists them)",
      );
      for (const body of [
        () => store.read("x"),
        () => store.readAfter("x", 1),
        () => store.meta("x"),
        () => store.open("x", owner("one")),
      ]) {
        expect(await errorOf(body)).toContain("M5107");
      }
    });

    test("artifacts are kept by their content", async () => {
      const { store, again } = setting();
      const bytes = new TextEncoder().encode("a chart");
      const put = store.artifacts.put(bytes, {
        kind: "chart",
        mime: "image/svg+xml",
        producer: "a/1",
      });
      expect(put).toEqual({
        hash: "a8c938318041ff413b5be251f171ce9ea478b3b957e5fd20b00a9d4de73a541d",
        bytes: 7,
      });
      store.artifacts.put(bytes, { kind: "other", mime: "text/plain" });
      expect([...again().artifacts.get(put.hash)]).toEqual([...bytes]);
      expect(again().artifacts.info(put.hash)).toEqual({
        kind: "chart",
        mime: "image/svg+xml",
        producer: "a/1",
      });
      const missing = "0".repeat(64);
      expect(store.artifacts.info(missing)).toBeUndefined();
      expect(await errorOf(() => store.artifacts.get(missing))).toContain("M5109");
    });

    test("a store that closes stores what is pending and frees its runs", async () => {
      const { store, again } = setting();
      const after = again();
      const log = store.create(meta("a", { durability: "exit" }), owner("one"));
      fill(log, 0, 4);
      store.close();
      await log.close();
      expect(after.read("a")).toEqual(records(0, 4));
      expect(after.find("a").owner).toBeUndefined();
    });
  });
}

function fill(log: RunLog, first: number, last: number): void {
  for (const each of records(first, last)) log.append(each, running);
}
