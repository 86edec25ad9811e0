/** Holds that the reference leaves nothing out: every rule, every word, every code of the checker, every table of the language. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKS } from "../../../dsl/check/checks.ts";
import {
  arrayMethods,
  BUILT_IN_REDUCERS,
  BUILT_IN_TOOLS,
  codes,
  KNOWN_TYPES,
  languageWords,
  MESSAGE_KINDS,
  numberMethods,
  stringMethods,
} from "../../../dsl/index.ts";
import { grammarRules } from "../grammar/shape.ts";
import { manual } from "./chapter.ts";

const reference = readFileSync(join(manual, "reference.md"), "utf8");
const grammar = [...reference.matchAll(/^```ebnf\n([\s\S]*?)^```/gm)]
  .map(([, text]) => text)
  .join("");
const prose = reference.replaceAll(/^```ebnf\n[\s\S]*?^```/gm, "");

test("every rule of the grammar stands in it once", () => {
  const named = [...grammar.matchAll(/^(\w+)(?: =|$)/gm)].map(([, name = ""]) => name);
  expect(named.toSorted()).toEqual(
    grammarRules()
      .map(({ name }) => name)
      .toSorted(),
  );
});

test("every word of the language is explained outside the grammar", () => {
  const missing = languageWords.filter((word) => !new RegExp(`\\b${word}\\b`).test(prose));
  expect(missing).toEqual([]);
});

test("every code that a check can find stands in it", () => {
  const ranges = [...prose.matchAll(/(M\d{4}) to (M\d{4})/g)];
  const isNamed = (code: string) =>
    prose.includes(code) || ranges.some(([, from = "", to = ""]) => from <= code && code <= to);
  const ofText = Object.keys(codes).filter((code) => /^M(?:1|24|36)/.test(code));
  const found = new Set<string>([...CHECKS.flatMap((check) => check.codes), ...ofText]);
  expect([...found].filter((code) => !isNamed(code)).toSorted()).toEqual([]);
});

test.each([
  ["reducers", BUILT_IN_REDUCERS],
  ["tools", BUILT_IN_TOOLS],
  ["types", KNOWN_TYPES],
  ["kinds of messages", MESSAGE_KINDS],
  ["methods of texts", Object.keys(stringMethods)],
  ["methods of lists", Object.keys(arrayMethods)],
  ["methods of numbers", Object.keys(numberMethods)],
] as const)("the %s that come with the language stand in it", (_, names) => {
  const isNamed = (name: string) => new RegExp(`\`[^\`]*\\b${name}\\b[^\`]*\``).test(prose);
  expect(names.filter((name) => !isNamed(name))).toEqual([]);
});
