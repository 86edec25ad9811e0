import { expect, test } from "vitest";
import { loadCompiler } from "../../../../kernel/types/compiler/tslab-converter.ts";
import { completenessOf } from "../../../../kernel/types/editor/completeness.ts";

const CASES: readonly (readonly [code: string, status: string, indent: string])[] = [
  ["1 + 1", "complete", ""],
  ["const a = 1;\n", "complete", ""],
  ["", "complete", ""],
  ["await f()", "complete", ""],
  ["import a from 'a'", "complete", ""],
  ["enum E { a }", "complete", ""],
  ["function f() {", "incomplete", "  "],
  ["  f(", "incomplete", "    "],
  ["1 +", "incomplete", ""],
  ["`a", "incomplete", ""],
  ["/* a", "incomplete", ""],
  ["const = 1", "invalid", ""],
  ["1 1 1", "invalid", ""],
  ["graph G() {", "incomplete", "  "],
  ["graph G() { agent a { prompt `x", "incomplete", "      "],
  ["graph G() { agent a { prompt `x ( ${[1]} `", "incomplete", "    "],
  ["graph G() { start -> a }", "complete", ""],
  ["graph G() { start -> a } // {", "complete", ""],
  ["%%graph\nstart ->", "incomplete", ""],
  ["%%graph\nstart -> a |", "incomplete", ""],
  ['model m = "a{"', "complete", ""],
  ["%%sql\n", "incomplete", ""],
  ["%%sql\nSELECT 1", "complete", ""],
  ["%%sql --chart bar", "incomplete", ""],
  ["%config model rules", "complete", ""],
  // No time is spent on what a comment is drawn with.
  [`${"/".repeat(5000)}\n1 +`, "incomplete", ""],
  [`${"/".repeat(5000)}\n// %runs\n%runs`, "complete", ""],
];

test.each(CASES)("%j is %s", (code, status, indent) => {
  expect(completenessOf(code, loadCompiler())).toEqual({ status, indent });
});
