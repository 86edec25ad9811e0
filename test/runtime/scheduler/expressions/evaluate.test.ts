import { expect, test, vi } from "vitest";
import { arrayMethods, numberMethods, stringMethods } from "../../../../dsl/index.ts";
import { evaluate } from "../../../../runtime/scheduler/expressions/evaluate.ts";
import { methodNames } from "../../../../runtime/scheduler/expressions/methods.ts";
import { SharedList } from "../../../../runtime/state/persistent.ts";
import { graphOf } from "../../../support/run-graph.ts";

/** The value of an expression over a few fields. */
function value(expression: string, kept = false): unknown {
  const ir = graphOf(`model m = "rules"
graph G returns out {
  state {
    out: Json
    n: int = 3
    text: string = "Hello"
    list: int[] = [3, 1, 2]
    items: Json = null
    gone?: string
    absent?: { a: int }
  }
  agent a { model m; prompt \`\${n} \${text} \${list} \${items} \${gone} \${absent}\`; writes out; set out = ${expression} }
  start -> a
}`);
  const fields: Record<string, unknown> = {
    n: 3,
    text: "Hello",
    list: kept ? SharedList.of([3, 1, 2]) : [3, 1, 2],
    items: kept ? SharedList.of([{ a: 1 }, { a: 2 }]) : [{ a: 1 }, { a: 2 }],
  };
  const [set] = ir.nodes[0]?.sets ?? [];
  if (set === undefined) throw new Error("no set");
  return evaluate(set.value, (name) => fields[name]);
}

test.each([
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3 % 4 - 1 / 2", 0.5],
  ["-n", -3],
  ["-2 % 2 == 0", true],
  ["2m", 120_000],
  ["$0.50 * 2", 1],
  ["4k", 4000],
  ['"a" + n + true', "a3true"],
  ["!(n > 2) || n >= 3 && text != null", true],
  ["gone ?? text", "Hello"],
  ["gone == null", true],
  ["n > 2 ? text : null", "Hello"],
  ["list == [3, 1, 2]", true],
  ["{ n, twice: n * 2 }", { n: 3, twice: 6 }],
  ["text.toUpperCase().slice(1, 3)", "EL"],
  ['list.map(x => x * 2).filter(x => x > 2).join("-")', "6-4"],
  ["list.sort().at(0)", 1],
  ["list.every(x => x > 0) && list.some(x => x == 2)", true],
  ["items.find(x => x.a == 2).a", 2],
  ["items.flatMap(x => [x.a, x.a])", [1, 1, 2, 2]],
  ["list[1]", 1],
  ["list[9]", undefined],
  ["items[0]?.nothing?.deeper", undefined],
  ["n.toFixed(2)", "3.00"],
  ["list.length + text.length", 8],
  ["[1..n]", [1, 2, 3]],
  ["[0, n..n + 2, ...list, 9]", [0, 3, 4, 5, 3, 1, 2, 9]],
  ["[n..1]", []],
  ["{ ...items[0], b: 2, ...{ a: 3 } }", { a: 3, b: 2 }],
  ["{ ...absent, b: 2 }", { b: 2 }],
  ["{ b: 2, ...null }", { b: 2 }],
  ["n in list && not (7 in list)", true],
  ["{ a: 1 } in items && { a: 9 } not in items", true],
  ['"a" in items[0] && "b" not in items[0]', true],
  ['"ell" in text', true],
  ['"x" in gone', false],
  ["not n > 2", false],
  ["not n == 4 && not text in list", true],
  ["n > 2 == not gone", true],
  ["list.reduce((sum, x) => sum + x, 0)", 6],
  ["list.reduce((best, x) => best > x ? best : x)", 3],
  ["Math.max(...list, n + 1) - Math.min(1, 2)", 3],
  ["Math.round(n / 2) + Math.floor(-0.5) + Math.abs(-2)", 3],
  ["Object.keys(items[0])", ["a"]],
  ["Object.values(items[1])", [2]],
  ["Object.entries(items[1])", [["a", 2]]],
  ["`${text} has ${list.length} and ${gone}`", "Hello has 3 and (none yet)"],
])("%s", (expression, expected) => {
  expect(value(expression)).toEqual(expected);
  expect(value(expression, true)).toEqual(expected);
});

test.each(["list.length", "list[2]", "list[list.length - 1] + list[0]"])(
  "%s makes no list of the one that is kept",
  (expression) => {
    const made = vi.spyOn(SharedList.prototype, "toArray");
    expect(value(expression, true)).toEqual(value(expression));
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  },
);

test.each([
  ["items[7].a", /no `a` here/],
  ["items.nothing.deeper", /no `deeper` here/],
  ["[...items[0].a]", /`...` needs a list here, not 1/],
  ["{ ...items }", /`...` needs an object here, not \[/],
  ["[1..n / 2]", /from a whole number to another one, not to 1.5/],
  ["[1..n * 1000000]", /at most 1000000 numbers, not 3000000/],
  ["[].reduce((sum, x) => sum)", /needs a first value/],
  ["Math.sqrt(-1)", /`Math.sqrt` of -1 is no number/],
  ["Object.keys(gone)", /needs an object, not a value that is not written yet/],
  ["1 in n", /looks into a list, an object or a text, not into 3/],
])("%s fails with its reason", (expression, message) => {
  expect(() => value(expression)).toThrow(message);
});

test("what is not a value's own can't be reached", () => {
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    expect(value(`items[0].${name}`)).toBeUndefined();
    expect(value(`items.${name}`, true)).toBeUndefined();
  }
});

test("the checker and the engine know the same methods", () => {
  const names = (table: object) =>
    Object.keys(table)
      .filter((name) => name !== "length")
      .sort();
  expect(methodNames.string.toSorted()).toEqual(names(stringMethods));
  expect(methodNames.array.toSorted()).toEqual(names(arrayMethods));
  expect(methodNames.number.toSorted()).toEqual(names(numberMethods));
});
