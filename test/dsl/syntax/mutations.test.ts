/** One token wrong: parsing ends, throws nothing and says little. `MADRIGAL_FUZZ_SEED` repeats a run. */
import { expect, test } from "vitest";
import { parse } from "../../../dsl/syntax/parse.ts";
import { mutants } from "./mutations.ts";

const count = 3000;
const seed = Number(process.env.MADRIGAL_FUZZ_SEED ?? Date.now() % 1_000_000);

test(`${count} mutants`, () => {
  let findings = 0;
  for (const { what, text } of mutants(seed, count)) {
    findings += findingsOf(what, text);
  }
  expect(findings / count, `seed ${seed}`).toBeLessThanOrEqual(1.4);
});

function findingsOf(what: string, text: string): number {
  try {
    return parse({ file: "mutant.madrigal", text }).findings.length;
  } catch (cause) {
    throw new Error(`seed ${seed}: ${what}`, { cause });
  }
}
