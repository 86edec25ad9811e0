/** Two parsers, one language: they make equal trees of what is right and refuse the same of what is wrong. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codes, parse, print } from "../../../dsl/index.ts";
import { printExpression } from "../../../dsl/print/print-expression.ts";
import { arbitraryExpression } from "../../support/arbitrary-expression.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { compiled } from "../report.ts";
import { mutants } from "../syntax/mutations.ts";
import { programs } from "../syntax/reading.ts";
import { readFile } from "./oracle.ts";
import { Rejection } from "./rejection.ts";

const seed = Number(process.env.MADRIGAL_FUZZ_SEED ?? Date.now() % 1_000_000);

/** What each of the two makes of a text: the tree, or that it is refused. */
function both(text: string) {
  const { ast, findings } = parse({ file: "test.madrigal", text });
  return { ours: findings.length === 0 ? ast : "refused", theirs: oracle(text) };
}

function oracle(text: string) {
  try {
    return readFile(text);
  } catch (error) {
    if (error instanceof Rejection) return "refused";
    throw error;
  }
}

function expectSame(text: string, what = text): void {
  const { ours, theirs } = both(text);
  expect(ours, what).toStrictEqual(theirs);
}

function expectSameTree(text: string): void {
  const { ours, theirs } = both(text);
  expect(theirs).not.toBe("refused");
  expect(ours).toStrictEqual(theirs);
}

describe("equal trees", () => {
  test.each(programs)("of $file", ({ text }) => {
    expectSameTree(text);
  });

  test.each(programs)("of $file with the line ends of Windows and tabs", ({ text }) => {
    expectSameTree(text.replaceAll("\n", "\r\n").replaceAll("  ", "\t"));
  });

  const good = Object.entries(codes).flatMap(([code, page]) => {
    const { good: text } = page as { readonly good?: string };
    return text === undefined ? [] : [[code, text] as const];
  });

  test.each(good)("of the good program of %s", (_code, text) => {
    expectSame(text);
  });

  test("of random graphs, as they are and as they are printed", () => {
    fc.assert(
      fc.property(arbitraryGraph({ runnable: false }), (text) => {
        expectSameTree(text);
        expectSameTree(print(compiled(text)));
      }),
      { numRuns: 60 },
    );
  });

  test("of random expressions", () => {
    fc.assert(
      fc.property(arbitraryExpression(), (expression) => {
        expectSameTree(`model m = ${printExpression(expression)}`);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["escapes", 'model m = "\\n\\u{1F600}\\x41\\u0041\\q\\u{110000}\\\\"'],
    ["a prompt without indentation", "model m = ```\n    a\n      ${b}\n\n    c\n  ```"],
    ["a prompt that begins beside its backticks", "model m = ```a\n    b\n   c```"],
    ["an empty prompt", "model m = ``\nmodel n = ``````"],
    ["backticks in a prompt", "model m = ```a ` b `` c```"],
    ["dollars", "model m = `$ $a \\${ ${a}$`"],
    ["amounts", "config { a: 1.5M, b: 40k, c: 0.1M, d: 1.5h, e: 250ms, f: $0.50, g: 0.0005k }"],
    ["operators", "model m = -a * !b + c ?? d ? e => f : (g, h) => i?.j[k](l: 1)"],
    ["a list on the next line", "model m = a\n.b\ngraph G { [a] -> b\n[c, d] need 2 -> e }"],
    ["types", 'type T = | A.b<C[], "d" | -1 | null>[] | { each?: E; f: [G, H], } | (I)[]'],
  ])("of %s", (_what, text) => {
    expectSameTree(text);
  });
});

describe("the same is refused", () => {
  test.each([1, seed])("of 3000 mutants, seed %i", (start) => {
    for (const { what, text } of mutants(start, 3000)) expectSame(text, `seed ${start}: ${what}`);
  });

  test.each([
    ["`??` beside `||`", "model m = a ?? b || c"],
    ["`||` in parentheses beside `??`", "model m = a ?? (b || c)"],
    ["`by` behind a condition", "graph G { agent a { ensure b by c } }"],
    ["an option twice", "graph G { a -> each b of c need 1 need 2 { d } }"],
    ["a unit on the next line", "graph G { limit 3\nsteps }"],
    ["a type on the next line", "graph G { state { a:\nb } }"],
    ["200 brackets", `model m = ${"[".repeat(200)}${"]".repeat(200)}`],
    ["201 brackets", `model m = ${"[".repeat(201)}${"]".repeat(201)}`],
    ["a comma at the end", "config { a: 1, }"],
    ["no-break spaces", "model\u00A0m\uFEFF= 1"],
    ["a line separator", "model m\u2028= 1"],
    ["NUL", "model m = 1\0"],
  ])("of %s", (_what, text) => {
    expectSame(text);
  });
});
