/** How soon the laws find a bug that a test has planted into a module. */
import { expect } from "vitest";
import { LAWS } from "../laws.ts";
import { programOf, type Schedule, schedulesOf } from "../schedules.ts";

const SCHEDULES_MAX = 2_000;

/** Expects one of `laws` to break within 2,000 schedules; prints after how many, and which of all laws broke first. */
export function expectFound(bug: string, laws: readonly string[]): void {
  const { first, meant } = search(laws);
  const told = [first, meant].flatMap((found) =>
    found === undefined ? [] : [`by ${found.law} after ${found.schedules} schedules`],
  );
  console.log(`planted: ${bug}: found ${[...new Set(told)].join(", ")}`);
  expect(meant, `${bug}: ${laws.join(" or ")} breaks; ${told.join(", ")}`).toBeDefined();
}

interface Found {
  readonly law: string;
  readonly schedules: number;
}

function search(laws: readonly string[]): { readonly first?: Found; readonly meant?: Found } {
  let first: Found | undefined;
  let schedules = 0;
  for (let seed = 1; schedules < SCHEDULES_MAX; seed += 1) {
    for (const broken of brokenBy(seed)) {
      schedules += 1;
      const [law] = broken;
      if (law !== undefined) first ??= { law, schedules };
      const meant = broken.find((id) => laws.includes(id));
      if (first !== undefined && meant !== undefined) {
        return { first, meant: { law: meant, schedules } };
      }
    }
  }
  return first === undefined ? {} : { first };
}

/** The laws that each schedule of a program breaks. */
function* brokenBy(seed: number): Generator<readonly string[]> {
  try {
    for (const schedule of schedulesOf(programOf(seed), seed)) yield lawsBroken(schedule);
  } catch {
    // An exception out of the scheduler breaks the law that nothing escapes from it.
    yield ["L11"];
  }
}

function lawsBroken(schedule: Schedule): readonly string[] {
  const tried = LAWS.filter(({ isTried }) => isTried?.(schedule) !== false);
  return tried.filter(({ broken }) => broken(schedule) !== undefined).map(({ id }) => id);
}
