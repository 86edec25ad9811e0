/** Holds how findings are compared with a list of exceptions. */
import { expect, test } from "vitest";
import { compareFindings, countFindings } from "./findings.ts";

const allowed = new Map([
  ["a", 2],
  ["b", 1],
]);

test.each([
  ["as many as allowed", ["a", "a", "b"], { added: [], stale: [] }],
  ["fewer than allowed", ["a", "b"], { added: [], stale: [] }],
  ["one more than allowed", ["a", "a", "a", "b"], { added: ["a | 3"], stale: [] }],
  ["a finding without an entry", ["a", "b", "c"], { added: ["c | 1"], stale: [] }],
  ["an entry that nothing needs", ["a"], { added: [], stale: ["b"] }],
])("%s", (_, found, comparison) => {
  expect(compareFindings(countFindings(found), allowed)).toEqual(comparison);
});
