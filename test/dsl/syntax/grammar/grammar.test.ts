import { Lexer } from "chevrotain";
import { expect, test } from "vitest";
import { FileParser } from "../../../../dsl/syntax/grammar/file.ts";
import { lexerDefinition } from "../../../../dsl/syntax/tokens.ts";
import { programs, report } from "../reading.ts";

test("Chevrotain finds nothing ambiguous in the grammar", () => {
  expect(() => new FileParser({ validate: true })).not.toThrow();
});

test("Chevrotain finds no fault in the tokens", () => {
  expect(() => new Lexer(lexerDefinition, { positionTracking: "full" })).not.toThrow();
});

test.each(programs)("$file parses without a finding", ({ text }) => {
  expect(report(text)).toBe("");
});

test("there are six programs", () => {
  expect(programs.map(({ file }) => file)).toHaveLength(6);
});
