/** Holds that doc comments begin with a verb or a noun, not with a noun clause such as "What is left". */
import { expect, test } from "vitest";
import { findNounClauses } from "./docstrings.ts";
import { productFiles } from "./sources.ts";

test.each([
  ["a function", "/** Whether a number is even. */\nexport function isEven() {}\n", 1],
  ["a field", "interface Sum {\n  /** How many numbers there are. */\n  count: number;\n}\n", 2],
  ["a block", "\n/**\n * Where two lines meet,\n * if they do.\n */\nconst meet = 1;\n", 2],
])("%s with a noun clause is found", (_, text, line) => {
  const [found = "", ...others] = findNounClauses([{ path: "dsl/add.ts", text }]);
  expect(found).toMatch(new RegExp(`^dsl/add\\.ts:${line}: (?:Whether|How|Where) `));
  expect(others).toEqual([]);
});

test.each([
  ["a verb", "/** Returns whether a number is even. */\n"],
  ["a noun", "/** The number of items, which may be 0. */\n"],
  ["a line comment", "// What follows is generated.\n"],
])("%s at the beginning is right", (_, text) => {
  expect(findNounClauses([{ path: "dsl/add.ts", text }])).toEqual([]);
});

test("no doc comment begins with a noun clause", () => {
  expect(findNounClauses(productFiles)).toEqual([]);
});
