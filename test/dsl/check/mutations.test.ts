/** One token wrong: checking ends, throws nothing, says little, and what it lets through can be written and read back. */
import { expect, test } from "vitest";
import { check, mermaid, print } from "../../../dsl/index.ts";
import { mutants } from "../syntax/mutations.ts";

const count = 1000;
const seed = Number(process.env.MADRIGAL_FUZZ_SEED ?? Date.now() % 1_000_000);

test(`${count} mutants`, () => {
  let errors = 0;
  for (const { what, text } of mutants(seed, count)) {
    errors += about(`seed ${seed}: ${what}`, () => errorsIn(text));
  }
  expect(errors / count, `seed ${seed}`).toBeLessThanOrEqual(1.5);
});

function errorsIn(text: string): number {
  const { diagnostics, graphs } = check(
    { file: "mutant.madrigal", text },
    { allowUnreadPrograms: true },
  );
  for (const ir of graphs) {
    expect(mermaid(ir)).toMatch(/^flowchart TD\n/);
    const [back] = check(
      { file: "printed", text: print(ir) },
      { allowUnreadPrograms: true },
    ).graphs;
    expect(back?.hash).toBe(ir.hash);
  }
  return diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
}

function about<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new Error(what, { cause });
  }
}

test.each([
  ["operators", `n${" + n".repeat(20_000)}`],
  ["dots", `n${".a".repeat(20_000)}`],
  ["signs", `${"-".repeat(20_000)}n`],
  ["lambdas", `${"x => ".repeat(20_000)}1`],
])("%s without end are told, not followed", (_title, expression) => {
  const text = `graph G(n: Json) { start -> end\n end when ${expression} }`;
  const { diagnostics, graphs } = check({ file: "deep", text });
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["M1112"]);
  expect(graphs).toEqual([]);
});
