/** Nodes and graphs among `tools` that no model can call. */
import { expect, test } from "vitest";
import { codesOf, graph, report } from "../report.ts";

const base =
  "state { a: string[] = [topic] via append }\nrun x = f() writes a\nrun y = f() writes a\nrun i(w: string) = f(w) writes a";

test.each([
  [
    "operator h { controller mine; tools G; prompt `x`; writes a }\nstart -> h",
    "`G` is a graph, and the tools of an operator are those of its agent",
  ],
  [
    "agent h { model m; tools planGraph; prompt `x`; writes a }\nstart -> h",
    "`planGraph` runs a plan that a field has, and is no tool",
  ],
  [
    "state thread { seen: string[] = [] via append }\nagent h { model m; tools G; prompt `x`; writes a }\nstart -> h",
    "`G` has fields of a thread or a user, or calls a graph that has some, and is no tool",
  ],
  [
    "agent h { model m; tools x; prompt `x`; writes a }\nstart -> h",
    "`x` is a node, and a node is no tool",
  ],
  [
    "defaults { tools x }\nagent h { model m; prompt `x`; writes a }\nstart -> h",
    "`x` is a node, and a node is no tool",
  ],
])("%s", (lines, message) => {
  const said = report(graph(`${base}\n${lines}`), {})
    .split("\n")
    .filter((line) => line.includes("M2117"));
  expect(said.map((line) => line.replace(/^M2117 \S+ (.*?) \(.*$/, "$1"))).toEqual([message]);
});

test("a function of the name of a node is the tool", () => {
  const lines = "agent h { model m; tools x; prompt `x`; writes a }\nstart -> h";
  expect(codesOf(graph(`${base}\n${lines}`), { scope: ["x", "f"] })).not.toContain("M2117");
});

const called = (scope: string) => `model m = "openai/gpt-4o"
graph G() returns a { state { a: Json }
agent h { model m; tools T; prompt \`x\`; writes a }
start -> h -> end }
graph T() returns b { state { b: Json }
graph inner = U() writes b
start -> inner -> end }
graph U() returns c { state { c: Json }
graph inner = L() writes c
start -> inner -> end }
graph L() returns d { state ${scope} { d: int = 0 via sum }
run f = one() writes d
graph again = U() writes d <- 1
start -> f -> end }`;

test.each([
  ["thread", 1],
  ["user", 1],
  ["", 0],
])(
  "a graph as a tool that calls, by another one, a graph with fields of %s: %i",
  (scope, count) => {
    expect(codesOf(called(scope), {}).filter((code) => code === "M2117").length).toBe(count);
  },
);
