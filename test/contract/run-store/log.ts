/** What is acknowledged is stored, in order and as it was. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorOf, promisesRun } from "../../runtime/store/fixtures.ts";
import { meta, owner, record, records, running } from "../../runtime/store/runs.ts";
import { fill, type Setting } from "./setting.ts";

export function logContract(name: string, setting: () => Setting): void {
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

    test("with enough it reads no more flushes than have so many records, and the next time the rest", async () => {
      const { store } = setting();
      const log = store.create(meta("a"), owner("one"));
      for (const [first, last] of [
        [0, 4],
        [5, 6],
        [7, 9],
      ] as const) {
        fill(log, first, last);
        await log.flush();
      }
      expect(store.readAfter("a", -1, 1)).toEqual(records(0, 4));
      expect(store.readAfter("a", 2, 2)).toEqual(records(3, 4));
      expect(store.readAfter("a", 2, 3)).toEqual(records(3, 6));
      expect(store.readAfter("a", 6, 100)).toEqual(records(7, 9));
      expect(store.readAfter("a", 9, 1)).toEqual([]);
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
}
