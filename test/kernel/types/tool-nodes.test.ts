/** What TypeScript says of the arguments of `tool` nodes: of a declared tool they are members of one object. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { openProgramTypes } from "../../../kernel/types/files/check-program.ts";
import { readNames } from "../../../kernel/types/named/program-names.ts";

const folder = mkdtempSync(join(tmpdir(), "madrigal-tool-nodes-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(
  join(folder, "tools.ts"),
  `import { tool } from "madrigal";
export const words = {
  find: tool(({ word, max = 3 }: { word: string; max?: number }) => [word, max].join(), { effect: "none" }),
  list: tool(() => "a", { effect: "none" }),
  plain: (word: string, max: number) => [word, max].join(),
};
`,
);
const types = openProgramTypes();

function errorsOf(call: string): readonly string[] {
  const text = `import { words } from "./tools.ts"
graph G(word: string, max: int) returns out {
  state { out: string }
  tool look = ${call} writes out
  start -> look
}`;
  const source = { file: "g.madrigal", text };
  const checked = check(source);
  const program = { source, names: readNames(source), path: join(folder, "g.madrigal") };
  return types
    .check(program, { ...checked, types: [] })
    .map(({ code, line, column, endColumn, message }) => {
      const marked = text.split("\n")[line - 1]?.slice(column - 1, endColumn - 1);
      return `${code} «${marked}» ${message}`;
    });
}

test.each([
  "words.find(word: word)",
  "words.find(word: word, max: max)",
  "words.find({ word: word })",
  "words.list()",
  "words.plain(word: word, max: max)",
  "words.plain(word, max)",
])("fits: %s", (call) => {
  expect(errorsOf(call)).toEqual([]);
});

test.each([
  ["words.find(word: max)", "M3503 «max» `number` does not fit `string`"],
  [
    "words.find(wrd: word)",
    "M3503 «word» there is no `wrd` in `{ word: string; max?: number | undefined; }`",
  ],
  [
    "words.find(max: max)",
    "M3503 «words.find» `{ max: number; }` does not fit `{ word: string; max?: number | undefined; }`",
  ],
  [
    "words.find()",
    "M3503 «words.find» `{}` does not fit `{ word: string; max?: number | undefined; }`",
  ],
  ["words.plain(word: max, max: max)", "M3503 «max» `number` does not fit `string`"],
  ["words.plain(word: word)", "M3503 «words.plain» expected 2 arguments, but got 1"],
])("does not fit: %s", (call, error) => {
  expect(errorsOf(call)).toEqual([error]);
});
