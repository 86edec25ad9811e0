/** How soon the laws find a bug that a test has planted into a module. */
import { expect } from "vitest";
import { LAWS } from "../laws.ts";
import { programOf, schedulesOf } from "../schedules.ts";

const SCHEDULES_MAX = 2_000;

/** Expects one of `laws` to be the first that breaks, within 2,000 schedules; prints after how many it was. */
export function expectFound(bug: string, laws: readonly string[]): void {
  const found = search();
  console.log(`planted: ${bug}: found by ${found?.law} after ${found?.schedules} schedules`);
  expect(found).toBeDefined();
  expect(laws).toContain(found?.law);
}

interface Found {
  readonly law: string;
  readonly schedules: number;
  readonly what: string;
}

function search(): Found | undefined {
  let schedules = 0;
  for (let seed = 1; schedules < SCHEDULES_MAX; seed += 1) {
    try {
      for (const schedule of schedulesOf(programOf(seed), seed)) {
        schedules += 1;
        for (const { id, broken, isTried } of LAWS) {
          if (isTried?.(schedule) === false) continue;
          const what = broken(schedule);
          if (what !== undefined) return { law: id, schedules, what };
        }
      }
    } catch (error) {
      // An exception out of the scheduler breaks the law that nothing escapes from it.
      return { law: "L11", schedules: schedules + 1, what: String(error) };
    }
  }
  return undefined;
}
