/** A write that stops in its middle leaves nothing of itself, and everybody else's is whole. */
import { describe, expect, test } from "vitest";
import type { RunLog, SummaryUpdate } from "../../../runtime/store/run-store.ts";
import { errorOf } from "../../runtime/store/fixtures.ts";
import { meta, owner, record, records, running } from "../../runtime/store/runs.ts";
import { fill, type Setting } from "./setting.ts";

export function halfwayContract(name: string, setting: () => Setting): void {
  describe(`${name}: half of a write`, () => {
    test("a flush that stops in its middle stores none of its records and fields, and fails its log alone", async () => {
      const { store, again } = setting();
      const log = store.create(meta("a"), owner("one"));
      const other = store.create(meta("b"), owner("one"));
      fill(log, 0, 1);
      await log.flush();
      log.append(record(2), { ...running, kept: [kept("first", () => 1)] });
      log.append(record(3), { ...running, kept: [kept("second", broken)] });
      fill(other, 0, 2);
      const [failure] = await Promise.all([errorOf(() => log.flush()), other.flush()]);
      expect(failure).toContain(
        "M9000 the field `second` of thread `thread-1` can't be kept: it broke",
      );
      expect(again().read("a")).toEqual(records(0, 1));
      expect(again().find("a").updatedAt).toBe(1_001);
      expect(again().kept({ scope: "thread", owner: "thread-1" })).toEqual([]);
      expect(again().read("b")).toEqual(records(0, 2));
      await failsEver(log, "M9000");
    });

    test("a run whose first flush stops in its middle is there without a record", async () => {
      const { store, again } = setting();
      const log = store.create(meta("a"), owner("one"));
      log.append(record(0), { ...running, kept: [kept("first", broken)] });
      await failsEver(log, "M9000");
      expect(again().find("a").status).toBe("created");
      expect(again().read("a")).toEqual([]);
    });

    test("a copy that stops in its middle leaves none of the runs", async () => {
      const { store, again } = setting();
      for (const runId of ["a", "b"]) await store.create(meta(runId), owner("one")).close();
      let made = 0;
      const newRunId = () => {
        made += 1;
        if (made === 2) throw new Error("no more names");
        return `copy-${made}`;
      };
      expect(() => store.copyThread({ from: "thread-1", to: "other", newRunId })).toThrow();
      expect(again().list()).toHaveLength(2);
      expect(again().list({ thread: "other" })).toEqual([]);
    });
  });
}

function broken(): never {
  throw new Error("it broke");
}

function kept(field: string, update: () => unknown): NonNullable<SummaryUpdate["kept"]>[number] {
  return { scope: "thread", owner: "thread-1", field, update };
}

async function failsEver(log: RunLog, code: string): Promise<void> {
  expect(await errorOf(() => log.append(record(4), running))).toContain(code);
  expect(await errorOf(() => log.flush())).toContain(code);
  expect(await errorOf(() => log.close())).toContain(code);
}
