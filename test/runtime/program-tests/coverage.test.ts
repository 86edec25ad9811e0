/** Which arrows of a graph its tests took. */
import { expect, test } from "vitest";
import { command, coverGraphs, type Scope } from "../../../runtime/index.ts";
import { MODEL, results } from "./testing.ts";

/** All arrows with how often they were taken: `2 judge -> code  else`. */
async function covered(graph: string, tests: readonly string[], scope?: Scope): Promise<string> {
  const blocks = tests.map((lines, index) => `test "${index}" of G {\n${lines}\n}`);
  const [graphs] = await coverGraphs(
    [],
    await results(`${MODEL}${graph}\n${blocks.join("\n")}`, scope),
  );
  const lines = graphs?.arrows.map(({ from, to, label, kind, line, times }) =>
    `${times} ${line} ${from} -> ${to}  ${kind === "arrow" ? "" : `${kind} `}${label}`.trim(),
  );
  return (lines ?? []).join("\n");
}

test("branches, loops, choices, failures", async () => {
  const graph = `graph G(n: int) {
  state {
    a: int = 0
    b: int = 0
  }
  router front { model m; prompt "p" }
  agent one { model m; prompt "p"; writes a }
  agent two { model m; prompt "p"; writes b }
  start -> front -> one | two | end
  one -> { a > 1 -> two, else -> one max 2 }
  one -> end on error
  two -> match n { 1 -> end, 2 -> one max 1, else -> front max 1 }
}`;
  const tests = [
    'given n = 1\nfront says "one"\none says 0, 2\ntwo says 1',
    'given n = 1\nfront says "one"\none fails "x"',
  ];
  expect(await covered(graph, tests)).toMatchInlineSnapshot(`
    "2 10 start -> front
    2 10 front -> one  choice
    0 10 front -> two  choice
    0 10 front -> end  choice
    1 11 one -> two  a > 1
    1 11 one -> one  else
    1 12 one -> end  failure on error
    1 13 two -> end  1
    0 13 two -> one  2
    0 13 two -> front  else"
  `);
});

test("an agent that answers takes the `end` among its choices", async () => {
  const graph = `graph G(n: int) {
  state { a: int = 0 }
  agent one { model m; prompt "p"; writes a }
  agent two { model m; prompt "p"; writes a }
  limit 9 steps
  start -> one -> two | end
  two -> one | end
}`;
  const tests = [
    "given n = 1\none says 1",
    'given n = 1\none says { goto: "two", handoff: { task: "t" } }\ntwo says 2',
  ];
  expect(await covered(graph, tests)).toMatchInlineSnapshot(`
    "2 7 start -> one
    1 7 one -> two  choice
    1 7 one -> end  choice
    0 8 two -> one  choice
    1 8 two -> end  choice"
  `);
});

test("joins, items of an `each`, and a decision that waits for a time", async () => {
  const graph = `graph G(list: int[]) {
  state {
    a: int = 0
    b: int = 0
    c: int[] = [] via append
  }
  agent one { model m; prompt "p"; writes a }
  agent two { model m; prompt "p"; writes b }
  agent item(i: int) { model m; prompt "p"; writes c }
  agent last { model m; prompt "p"; writes a }
  start -> [one, two] -> last
  [one, two] -> end on error
  last -> { a > 1 -> each i of list { item(i) }, else -> end } after 5m
}`;
  const said = "one says 1\ntwo says 1\nitem says 1\nlast says";
  const lists = ["given list = [1, 2]", "given list = []"];
  expect(
    await covered(
      graph,
      lists.map((list, index) => `${list}\n${said} ${2 - index}`),
    ),
  ).toMatchInlineSnapshot(`
    "2 12 start -> one
    2 12 start -> two
    2 12 [one, two] -> last
    0 13 [one, two] -> end  failure on error
    1 14 last -> each i  a > 1
    2 14 each i -> item
    1 14 last -> end  else"
  `);
});

test("commands of functions count for the arrow to their node, and a decision that calls counts once", async () => {
  const graph = `graph G() {
  state {
    a: int = 0
    b: int = 0
  }
  run one = f() writes a
  run two = g() writes b
  start -> one -> { odd(a) -> two, else -> end }
}`;
  const odd = (n: number) => n % 2 === 1;
  const commanding = { f: () => command({ update: { a: 2 }, goto: "two" }), g: () => 2, odd };
  const asked = { f: () => 1, g: () => 2, odd };
  expect([
    await covered(graph, [""], commanding),
    await covered(graph, [""], asked),
  ]).toMatchInlineSnapshot(`
    [
      "1 9 start -> one
    1 9 one -> two  odd(a)
    0 9 one -> end  else",
      "1 9 start -> one
    1 9 one -> two  odd(a)
    0 9 one -> end  else",
    ]
  `);
});

test("nobody of a group hands over to itself", async () => {
  const graph = `graph G() {
  state { a: string = "" }
  defaults { model m; prompt "p"; writes a }
  agent one "one" { }
  agent two "two" { }
  start -> one
  one | two -> one | two | end max 3
}`;
  const script = 'one says { goto: "two", handoff: { task: "x" } }\ntwo says "y"';
  expect(await covered(graph, [script])).toMatchInlineSnapshot(`
    "1 7 start -> one
    0 8 two -> one  choice
    1 8 one -> two  choice
    0 8 one -> end  choice
    1 8 two -> end  choice"
  `);
});
