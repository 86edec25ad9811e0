/** Holds that types and functions of the product have names that say what they are, each type its own. */
import { expect, test } from "vitest";
import { checks } from "./checks.ts";
import { compareWithExceptions } from "./findings.ts";
import { findBannedNames, findBannedValues, findSharedTypeNames } from "./names.ts";

function keysOf(find: typeof findBannedNames, ...texts: readonly string[]): readonly string[] {
  return [...find(texts.map((text, at) => ({ path: `dsl/${at}.ts`, text }))).keys()];
}

test.each([
  ["interface Place {\n}\n", "type Place"],
  ["export interface Told<T> {\n}\n", "type Told"],
  ["export type Said = string;\n", "type Said"],
  ["class Standing {\n}\n", "type Standing"],
  ["function textOf(a: string) {\n}\n", "function textOf"],
  ["  async function goOnAfter() {\n  }\n", "function goOnAfter"],
  ["export const taken = (a: A): B => a.b;\n", "function taken"],
])("%j has a banned name", (text, key) => {
  expect(keysOf(findBannedNames, text)).toEqual([key]);
});

test.each([
  "interface RunPlace {\n}\n",
  "// type Place = string;\n",
  "function breakpointText() {\n}\n",
  "const taken = list.length;\n",
])("%j has none", (text) => {
  expect(keysOf(findBannedNames, text)).toEqual([]);
});

test.each([
  ["const told = 1;", "told"],
  ["const { output: said } = run;", "said"],
  ["function draw(standing: State) {}", "standing"],
  ["class A {\n  readonly #desk = 1;\n}", "#desk"],
  ["interface A {\n  readonly prospect: string;\n}", "prospect"],
])("%j declares a banned value", (text, key) => {
  expect(keysOf(findBannedValues, text)).toEqual([key]);
});

test.each(['log("told");', "// told\n", "run.told();", "const toldBy = 1;"])(
  "%j declares none",
  (text) => {
    expect(keysOf(findBannedValues, text)).toEqual([]);
  },
);

test("a type that two files declare is found, overloads and other names are not", () => {
  const first = "interface Row {\n}\ntype Cell = string;\n";
  const second = "export type Row = readonly string[];\ninterface Column {\n}\n";
  expect(keysOf(findSharedTypeNames, first, second)).toEqual(["Row"]);
});

test("no type and no function has a name that says nothing", () => {
  const comparison = compareWithExceptions("banned-names", checks["banned-names"]());
  expect(comparison).toEqual({ added: [], stale: [] });
});

test("no value is named by a role in a sentence", () => {
  const comparison = compareWithExceptions("banned-values", checks["banned-values"]());
  expect(comparison).toEqual({ added: [], stale: [] });
});

test("no two types have one name", () => {
  const comparison = compareWithExceptions("type-names", checks["type-names"]());
  expect(comparison).toEqual({ added: [], stale: [] });
});
