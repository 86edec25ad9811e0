import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { orderSensitivity, rolesOf } from "../../../dsl/index.ts";
import { compiled } from "../report.ts";

function program(name: string): string {
  return readFileSync(new URL(`../programs/${name}.madrigal`, import.meta.url), "utf8");
}

test("S27 who reads and writes what, and how", () => {
  const roles = rolesOf(compiled(program("3-magentic")));
  const lines = roles.map(({ role, kind, reads, writes }) => {
    const written = writes.map(
      ({ field, mode, optional }) => `${field}${optional ? "?" : ""} ${mode}`,
    );
    return `${kind} ${role}: ${reads.join(", ")} => ${written.join(", ")}`;
  });
  expect(lines).toMatchInlineSnapshot(`
    [
      "agent planner: task, facts => steps replace",
      "human coplan:  => accepted replace, steps? replace",
      "agent track: steps, at, facts => ledger replace",
      "agent web: ledger => facts append",
      "agent files: ledger => facts append",
      "operator coder: ledger => facts append",
      "agent sentinel: steps, at => facts append",
      "agent finish: task, facts => answer replace",
    ]
  `);
});

/** By what the end of a graph with these lines depends on the order in which its nodes finish. */
function sensitive(lines: string): readonly string[] {
  const text = `import { helpers } from "./helpers.ts"
graph G(xs: string[]) returns a {
state { a: string[] = [] via append }
run x = f(xs) writes a
run y = f() writes a
run z = f() writes a
run w(one: string) = f(one) writes a
${lines}
}`;
  return orderSensitivity(compiled(text)).map(({ what }) => what);
}

test.each([
  ["start -> x -> y -> z", []],
  ["start -> [x, y] -> z", []],
  ["start -> each one of xs parallel 4 { w(one) } -> z", []],
  ["start -> x -> { xs.length > 3 -> y, else -> z }\nlimit 60 steps", []],
  ["start -> [x, y]\n[x, y] need 1 -> z", ["`need 1`"]],
  ["start -> each one of xs need 2 { w(one) } -> z", ["`need 2`"]],
  ["start -> [x, y]\nx | y -> z", ["`x | y`, which may all arrive"]],
  ["start -> x -> { xs.length > 3 -> y, else -> z }\ny | z -> x max 3", []],
  ["start -> x -> y after 5m", ["`after`"]],
  ["start -> each one of load() { w(one) }", ["a stream"]],
  ["start -> each one of helpers.load() { w(one) }", ["a stream"]],
  ["start -> each one of helpers.all { w(one) }", ["a stream"]],
  ["start -> each one of xs.slice(0, 2) { w(one) }", []],
  ["start -> each one of xs { w(one) } -> z on error -> y", ["`on error` behind an `each`"]],
  ["start -> x -> y\nend when a.length > 3", []],
  ["start -> [x, y]\nend when a.length > 3", ["`end when` beside several node runs"]],
  ["start -> x\nstart -> y\nend when a.length > 3", ["`end when` beside several node runs"]],
  ["start -> x\nlimit 3m, $2, 9 steps", ["a limit in time", "a limit in money"]],
  ["start -> [x, y]\nlimit 9 steps", ["a limit in steps beside several node runs"]],
  [
    "start -> each one of xs { w(one) }\nlimit 900 tokens, 9 calls",
    ["a limit in tokens beside several node runs", "a limit in calls beside several node runs"],
  ],
  [
    "start -> x\nstart -> y\nlimit 9 turns, 2 errors",
    ["a limit in turns beside several node runs", "a limit in errors beside several node runs"],
  ],
])("order-sensitive graphs are marked: %s", (lines, reasons) => {
  expect(sensitive(lines)).toEqual(reasons);
});
