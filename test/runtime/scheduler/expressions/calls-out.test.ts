/** Which programs may ask something outside while they are decided: for others nobody keeps a book of calls. */
import { expect, test } from "vitest";
import { link } from "../../../../runtime/scheduler/program/link.ts";
import { graphOf } from "../../../support/run-graph.ts";

const graph = (lines: string, field = "a: string[] = [] via append") =>
  `graph G(n: int = 2) returns a { state { ${field} }\n${lines}\n}`;

test.each<[string, boolean, string, string?]>([
  ["a node that is a function", false, "run x = give(n) writes a\nstart -> x"],
  ["a condition on the state", false, "run x = f() writes a\nstart -> x when a.length < n"],
  ["an argument of a node", true, "run x = give(upper(n)) writes a\nstart -> x"],
  ["what a node sets", true, "run x = f() writes a { set a = upper(n) }\nstart -> x"],
  ["what an arrow sets", true, "run x = f() writes a\nstart -> x set a = upper(n)"],
  ["a condition", true, "run x = f() writes a\nstart -> x when far(n)"],
  [
    "the items of an `each`",
    true,
    "run x(w: string) = f(w) writes a\nstart -> each w of all() { x(w) }",
  ],
  ["an end", true, "run x = f() writes a\nend when done(a)\nlimit 9 steps\nstart -> x -> x"],
  ["a post-condition", true, 'run x = f() writes a { ensure good(a) "bad" }\nstart -> x'],
  ["an approval", true, "run x = f() writes a { approve before `${upper(n)}` }\nstart -> x"],
  ["the time", true, "run x = f() writes a\nstart -> x when run.now > 0"],
  ["a reducer", true, "run x = f() writes a\nstart -> x", "a: int = 0 via best"],
  [
    "what a reducer measures by",
    true,
    "run x = f() writes a\nstart -> x",
    "a: Json[] = [] via union(i => rank(i))",
  ],
  ["a default", true, "run x = f() writes a\nstart -> x", "a: Json = begin()"],
])("%s: %s", (_, asks, lines, field) => {
  expect(link(graphOf(graph(lines, field))).callsOut).toBe(asks);
});

test("a graph that calls another one: that one may", () => {
  const text = `graph G() returns a { state { a: int } graph inner = In() writes a start -> inner }
graph In() returns a { state { a: int } run x = f() writes a start -> x }`;
  expect(link(graphOf(text)).callsOut).toBe(true);
});
