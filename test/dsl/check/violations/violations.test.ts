/** Every rule of a graph, violated: told once, at the characters that are wrong. */
import { expect, test } from "vitest";
import { check, type Diagnostic } from "../../../../dsl/index.ts";
import { unmarked, violations } from "./violations.ts";

test.each(violations)("A63 [TY] $title", (violation) => {
  const text = unmarked(violation);
  const { diagnostics } = check({ file: "test.madrigal", text }, violation.options);
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([violation.code]);
  const [, between = ""] = violation.marked.split(/[«»]/);
  const [first] = diagnostics;
  expect(first && textOf(first, text)).toBe(between === "" ? "G" : between);
});

test("A63 [TY] there are at least forty of them", () => {
  expect(new Set(violations.map(({ marked }) => marked)).size).toBeGreaterThanOrEqual(40);
});

function textOf({ line, column, endLine, endColumn }: Diagnostic, text: string): string {
  const lines = text.split("\n").slice(line - 1, endLine);
  const last = lines.length - 1;
  const cut = lines.map((each, index) => (index === last ? each.slice(0, endColumn - 1) : each));
  return cut.map((each, index) => (index === 0 ? each.slice(column - 1) : each)).join("\n");
}
