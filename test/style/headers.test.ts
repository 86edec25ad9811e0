/** Holds that the first line of each file of the product is a sentence that says what the file does. */
import { expect, test } from "vitest";
import { checks } from "./checks.ts";
import { compareWithExceptions } from "./findings.ts";
import { findBadHeaders } from "./headers.ts";
import { productFiles } from "./sources.ts";

test.each([
  ["nothing", ""],
  ["an import first", 'import { a } from "./a.ts";\n/** Adds two numbers. */\n'],
  ["a line comment", "// Adds two numbers.\n"],
  ["a noun clause", "/** What two numbers come to. */\n"],
  ["a noun clause in a block", "/**\n * How two numbers\n * are added.\n */\n"],
  ["a pronoun", "/** It adds two numbers. */\n"],
  ["no full stop", "/** Adds two numbers */\n"],
  ["one word", "/** Numbers. */\n"],
])("%s is no header", (_, text) => {
  expect(findBadHeaders([{ path: "dsl/add.ts", text }])).toHaveLength(1);
});

test.each([
  ["a verb", "/** Adds two numbers. */\n"],
  ["a name with a colon", "/** Doors of the folder: each of them is a file. */\n"],
  ["a block", "/**\n * Adds two numbers, and\n * says so.\n */\n"],
  ["after an interpreter", "#!/usr/bin/env node\n/** Adds two numbers. */\n"],
])("%s is a header", (_, text) => {
  expect(findBadHeaders([{ path: "dsl/add.ts", text }])).toEqual([]);
});

test("there are files to look at", () => {
  expect(productFiles.length).toBeGreaterThan(500);
});

test("every file of the product begins with a sentence", () => {
  expect(compareWithExceptions("headers", checks.headers())).toEqual({ added: [], stale: [] });
});
