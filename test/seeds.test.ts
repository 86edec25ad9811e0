/** CI draws the same random cases in each of its runs, so that a failure can be repeated. */
import fc from "fast-check";
import { expect, test } from "vitest";

test("properties and fuzzers have the seed of MADRIGAL_FUZZ_SEED, which CI always names", () => {
  const named = process.env.MADRIGAL_FUZZ_SEED;
  if (process.env.CI !== undefined) expect(named).toMatch(/^\d+$/);
  expect(fc.readConfigureGlobal().seed).toBe(named === undefined ? undefined : Number(named));
  if (named === undefined) return;
  const drawn = () => fc.sample(fc.nat(), 5);
  expect(drawn()).toEqual(drawn());
});
