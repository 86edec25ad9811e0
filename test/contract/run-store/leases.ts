/** One process drives a run at a time. */
import { describe, expect, test } from "vitest";
import { errorOf } from "../../runtime/store/fixtures.ts";
import { meta, owner, record, records, running } from "../../runtime/store/runs.ts";
import { fill, type Setting } from "./setting.ts";

export function leaseContract(name: string, setting: () => Setting): void {
  describe(`${name}: who drives a run`, () => {
    test("a second driver is refused, and told whom to wait for", async () => {
      const { store, again } = setting();
      store.create(meta("a"), owner("kernel-1", { pid: 4_711 }));
      expect(await errorOf(() => again().open("a", owner("command", { pid: 4_712 })))).toBe(
        "M5105 run `a` is driven by kernel-1 (pid 4711 on here, since 1970-01-01T00:00:10.000Z) (wait until it has ended, or stop it: `run.pause()`, `madrigal abort`; reading and answering it is always possible)",
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
}
