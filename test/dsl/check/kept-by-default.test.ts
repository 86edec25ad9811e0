import { expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { reportGraph } from "../report.ts";

const text = (defaults: string, nodes: string, flow: string) =>
  `state { a: string\n b: string = "" }\ndefaults { model m; ${defaults} }\nagent x { prompt \`x \${topic} \${b}\`; writes a }\n${nodes}\n${flow}`;

test.each([
  ["human y { ask `${a}?`; writes b }", "a person is to be asked each time"],
  ["agent y { prompt `y`; writes b; every 5m until 2 }", "each round of `every` must run again"],
  ["agent y { prompt `${a}`; writes b; effects external }", "it may change the world outside"],
  [
    "operator y { controller codex; prompt `${a}`; writes b }",
    "an operator works outside of the run",
  ],
])("a default `cache` does not apply to `%s`", (node, why) => {
  const found = reportGraph(text("cache 1d", node, "start -> x -> y"));
  expect(found).toContain("M4913");
  expect(found).toContain(`\`cache\` in \`defaults\` does not apply to \`y\` (${why}`);
});

test("a node that says so itself is kept, or refused", () => {
  const human = "human y { ask `${a}?`; writes b; cache }";
  expect(reportGraph(text("cache 1d", human, "start -> x -> y"))).toBe("");
  const external = "agent y { prompt `${a}`; writes b; cache }";
  expect(reportGraph(text("effects external", external, "start -> x -> y"))).toMatch(/^M4912/);
});

test("nobody is told of a default that stands for no node twice", () => {
  const none = text("cache 1d", "", "start -> x").replace(
    "writes a }",
    "writes a; effects external }",
  );
  expect(reportGraph(none)).toMatch(/^warning M2301 .*default `cache`/);
});

test("what it does not stand for has no `cache` in the IR", () => {
  const human = "human y { ask `${a}?`; writes b }";
  const program = `model m = "rules"\ngraph G(topic: string) returns b {\n${text("cache 1d", human, "start -> x -> y")}\n}`;
  const [graph] = check({ file: "g.madrigal", text: program }).graphs;
  expect(graph?.nodes.map(({ name, cache }) => [name, cache?.ttlMs])).toEqual([
    ["x", 86_400_000],
    ["y", undefined],
  ]);
});
