/** Ids of runs: of one process, they sort in the order in which they were made. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { newRunId } from "../../../runtime/run/run-id.ts";

const START = Date.UTC(2026, 0);

test("ids are of version 7, and each is greater than the one before, whatever the clock does", () => {
  const clock = fc.array(fc.integer({ min: START, max: START + 20 }), { minLength: 2 });
  fc.assert(
    fc.property(clock, (times) => {
      const ids = times.map((now) => newRunId(now));
      for (const id of ids)
        expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      expect(ids.toSorted()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test("the time of a clock that goes on is in the id; more ids than the counter counts are of the next millisecond", () => {
  const timeOf = (id: string) => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
  const now = START + 1_000;
  expect(timeOf(newRunId(now))).toBe(now);
  const ids = Array.from({ length: 5_000 }, () => newRunId(now));
  expect(ids.toSorted()).toEqual(ids);
  expect(timeOf(ids.at(-1) ?? "")).toBeGreaterThan(now);
  expect(timeOf(newRunId(now + 10))).toBe(now + 10);
});
