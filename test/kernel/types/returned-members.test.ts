/** What is said of a function that gives another shape than its node writes. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { openProgramTypes } from "../../../kernel/types/files/check-program.ts";
import { readNames } from "../../../kernel/types/named/program-names.ts";

const folder = mkdtempSync(join(tmpdir(), "madrigal-returned-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(
  join(folder, "grow.ts"),
  `export const bare = (t: readonly number[]): number[] => [...t, 1];
export const whole = (t: readonly number[]) => ({ tree: [...t, 1] });
`,
);
const types = openProgramTypes();

function errorsOf(writes: string): readonly string[] {
  const text = `import { bare, whole } from "./grow.ts"
graph G() returns tree, scored {
  state { tree: int[] = []  scored: int[] = [1] via append }
  run step = ${writes}
  start -> step
}`;
  const source = { file: "g.madrigal", text };
  const program = { source, names: readNames(source), path: join(folder, "g.madrigal") };
  return types
    .check(program, { ...check(source), types: [] })
    .map(({ code, message, hint = "" }) => `${code} ${message} (${hint})`);
}

test("a list in place of an object of the fields is told in the words of the language", () => {
  expect(errorsOf("bare(tree) writes tree, scored = [] via replace")).toEqual([
    "M3508 what is returned has no member of this name (a node that writes several fields takes an object of them, such as `{ a, b }`; `writes a = result, …` takes what is returned as it is)",
  ]);
});

test.each([
  "whole(tree) writes tree, scored = [] via replace",
  "bare(tree) writes tree = result, scored = [] via replace",
])("fits: %s", (writes) => {
  expect(errorsOf(writes)).toEqual([]);
});
