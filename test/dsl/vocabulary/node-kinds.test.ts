/** Holds that the table of node kinds and the grammar know the same kinds. */
import { expect, test } from "vitest";
import { NODE_KINDS } from "../../../dsl/index.ts";
import { clauseWords } from "../../../dsl/syntax/words.ts";
import { nodeKindsWhere } from "../../../dsl/vocabulary/node-kinds.ts";
import { ebnf } from "../grammar/ebnf.ts";
import { grammarRules } from "../grammar/shape.ts";

test.each([
  ["nodeDecl", "body"],
  ["callDecl", "call"],
])("%s begins with the kinds of the form %s", (rule, form) => {
  const text = ebnf(grammarRules().find(({ name }) => name === rule) ?? expect.fail(rule));
  const [, words = ""] = /= \( ([^)]*) \)/.exec(text) ?? [];
  const kinds = nodeKindsWhere((facts) => facts.form === form);
  expect(words.split(" | ").toSorted()).toEqual(kinds.map((kind) => `"${kind}"`).toSorted());
});

test("no two kinds are drawn alike", () => {
  const shapes = Object.values(NODE_KINDS).map(({ shape }) => shape.join(" "));
  expect(new Set(shapes).size).toBe(shapes.length);
});

test("every clause means something in some kind", () => {
  const clauses = new Set<string>(Object.values(NODE_KINDS).flatMap((facts) => facts.clauses));
  expect(clauseWords.filter((word) => !clauses.has(word))).toEqual([]);
});
