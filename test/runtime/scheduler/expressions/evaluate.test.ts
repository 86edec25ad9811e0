import { expect, test, vi } from "vitest";
import { arrayMethods, numberMethods, stringMethods } from "../../../../dsl/index.ts";
import { evaluate, methodNames } from "../../../../runtime/scheduler/expressions/evaluate.ts";
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
  }
  agent a { model m; prompt \`\${n} \${text} \${list} \${items} \${gone}\`; writes out; set out = ${expression} }
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
