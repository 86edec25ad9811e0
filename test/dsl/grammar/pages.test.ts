/** The reference and the diagrams say what the parser does. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ebnf } from "./ebnf.ts";
import { lookaheadFile, lookaheadModule } from "./lookahead-file.ts";
import { pages } from "./pages.ts";
import { railroad } from "./railroad.ts";
import { grammarSections } from "./sections.ts";
import { grammarRules, type Shape } from "./shape.ts";

test.each(pages)("dsl/manual/$file is what `npm run grammar` writes", ({ url, text }) => {
  expect(readFileSync(url, "utf8")).toBe(text());
});

test("every rule stands in one section", () => {
  const shown = grammarSections().flatMap(({ rules }) => rules.map(({ name }) => name));
  expect(shown.toSorted()).toEqual(
    grammarRules()
      .map(({ name }) => name)
      .toSorted(),
  );
});

test("the diagrams need nothing from outside, and every link leads to a rule", () => {
  const html = pages.map(({ text }) => text()).find((text) => text.startsWith("<!doctype")) ?? "";
  expect(html).not.toMatch(/\bsrc=|https?:|url\(|@import/);
  const ids = new Set([...html.matchAll(/<section id="(\w+)">/g)].map(([, id]) => id));
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => !ids.has(link.slice(1)))).toEqual([]);
});

const a: Shape = { kind: "literal", text: "a" };
const b: Shape = { kind: "rule", name: "b" };
const c: Shape = { kind: "token", name: "C" };
const either: Shape = { kind: "choice", ways: [a, b] };

test.each<[string, Shape]>([
  ['"a" b C', { kind: "sequence", parts: [a, b, c] }],
  ['( "a" | b ) C', { kind: "sequence", parts: [either, c] }],
  ['[ "a" | b ]', { kind: "optional", part: either }],
  ["b { b }", { kind: "repeat", part: b }],
  ['( "a" | b ) { "a" | b }', { kind: "repeat", part: either }],
  ["{ b }", { kind: "optional", part: { kind: "repeat", part: b } }],
  ['b { "a" b }', { kind: "repeat", part: b, separator: a }],
  ['[ b { "a" b } ]', { kind: "optional", part: { kind: "repeat", part: b, separator: a } }],
])("x = %s ;", (text, shape) => {
  expect(ebnf({ name: "x", shape })).toBe(`x = ${text} ;`);
});

test("a diagram has a box for each part, and stays within its frame", () => {
  const svg = railroad({
    name: "x",
    shape: { kind: "sequence", parts: [{ kind: "optional", part: either }, c] },
  });
  expect([...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([
    "a",
    "b",
    "C",
  ]);
  const [, width = "", height = ""] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  for (const [, x, y, w, h] of svg.matchAll(
    /<rect[^>]* x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g,
  )) {
    expect(Number(x) + Number(w)).toBeLessThan(Number(width));
    expect(Number(y) + Number(h)).toBeLessThan(Number(height));
  }
});

test("dsl/syntax/lookahead-paths.ts is what `npm run grammar` writes", () => {
  expect(readFileSync(lookaheadFile, "utf8")).toBe(lookaheadModule());
});
