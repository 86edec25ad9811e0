/** The tables that people write with SQL are replaced as a whole, and only by who knows their last revision. */
import { describe, expect, test } from "vitest";
import type { WritableRows } from "../../../runtime/store/run-store.ts";
import type { Setting } from "./setting.ts";

const score = (value: number | null, ts: string | null = null) =>
  ["r", null, "useful", value, null, "näive", null, ts] as const;

const none: WritableRows = { scores: [], model_prices: [], model_contexts: [] };

export function writableContract(name: string, setting: () => Setting): void {
  describe(`${name}: the tables that people write`, () => {
    test("are empty at first", () => {
      expect(setting().store.writable.rows()).toEqual(none);
    });

    test("have the rows that were given last, also when the store is opened again", () => {
      const { store, again } = setting();
      const rows: WritableRows = {
        scores: [score(0.1, "2026-11-22 10:00:00.123456"), score(null), score(null)],
        model_prices: [["m", "2026-01-01 00:00:00", 2, Number.POSITIVE_INFINITY, null]],
        model_contexts: [["m", "9007199254740993"]],
      };
      const first = store.writable.replace(store.writable.revision(), rows);
      expect(store.writable.revision()).toBe(first);
      expect(again().writable.rows()).toEqual(rows);
      const fewer = { ...rows, scores: [score(null), score(2)] };
      const second = again().writable.replace(first ?? "", fewer);
      expect(second).not.toBe(first);
      expect(store.writable.rows()).toEqual(fewer);
      expect(store.writable.revision()).toBe(second);
    });

    test("stay as they are for who knows an earlier revision, and keep theirs when nothing changes", () => {
      const { store } = setting();
      const before = store.writable.revision();
      const rows = { ...none, scores: [score(1)] };
      const first = store.writable.replace(before, rows) ?? "";
      expect(store.writable.replace(before, none)).toBeUndefined();
      expect(store.writable.rows()).toEqual(rows);
      expect(store.writable.replace(first, rows)).toBe(first);
    });

    test("take no NaN for a number", () => {
      const { store } = setting();
      store.writable.replace(store.writable.revision(), { ...none, scores: [score(Number.NaN)] });
      expect(store.writable.rows().scores).toEqual([score(null)]);
    });
  });
}
