import { expect, test } from "vitest";
import { FileParser } from "../../../../dsl/syntax/grammar/file.ts";
import { programs, report } from "../reading.ts";

test("Chevrotain finds nothing ambiguous in the grammar", () => {
  expect(() => new FileParser({ validate: true })).not.toThrow();
});

test.each(programs)("$file parses without a finding", ({ text }) => {
  expect(report(text)).toBe("");
});

test("there are six programs", () => {
  expect(programs.map(({ file }) => file)).toHaveLength(6);
});
