/** The state of a run as tools of MCP for a strong agent: the node's own reads and writes are its only rights. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stubbedProgram, stubController } from "./stub-runs.ts";

type Call = readonly [string, Readonly<Record<string, unknown>>];

/** The results of the agent's calls, and the output of the run. */
async function called(calls: readonly Call[], answer = "blue") {
  const controller = stubController("state", { set: { STUB_CALLS: JSON.stringify(calls) } });
  const { graph, home } = stubbedProgram(`graph Work(task: string) returns count, note {
    state { count: int = 1  note: string = "none"  secret: string = "hidden" }
    operator code "works" { controller ${controller}; reads note; prompt \`\${task}\`; writes count, note }
    start -> code -> end
  }`);
  const run = graph.run({ task: "x" }, { answers: () => ({ kind: "value", value: answer }) });
  const output = await run.output.catch((thrown: Error) => thrown.message);
  const [tools, ...results] = JSON.parse(
    readFileSync(join(home, ".claude-stub", "calls.json"), "utf8"),
  );
  return { tools, results, output };
}

test("A48 it reads what its node reads, writes what its node writes, and what it writes is the node's patch", async () => {
  const { tools, results, output } = await called([
    ["read_state", {}],
    ["write_state", { field: "count", value: 3 }],
    ["write_state", { field: "note", value: "three" }],
  ]);
  expect(tools).toEqual(["read_state", "write_state", "ask_human"]);
  expect(results).toEqual([
    ["read_state", false, '{"note":"none"}'],
    ["write_state", false, "noted"],
    ["write_state", false, "noted"],
  ]);
  expect(output).toEqual({ count: 3, note: "three" });
});

test("A46 a field that its node does not write, and a value of another type, are refused at once", async () => {
  const { results } = await called([
    ["write_state", { field: "secret", value: "x" }],
    ["write_state", { field: "count", value: "three" }],
    ["read_state", { fields: ["secret"] }],
    ["write_state", { field: "count", value: 1 }],
    ["write_state", { field: "note", value: "n" }],
  ]);
  expect(results.map(([, isError]: readonly unknown[]) => isError)).toEqual([
    ...[true, true, true],
    ...[false, false],
  ]);
  expect(results[1][2]).toBe('count: expected an integer, found the string "three"');
});

test("A48 a question to a person is one of the run, and its answer the result of the call", async () => {
  const { results } = await called([
    ["ask_human", { question: "Which one?", options: ["red", "blue"] }],
    ["write_state", { field: "count", value: 1 }],
    ["write_state", { field: "note", value: "n" }],
  ]);
  expect(results[0]).toEqual(["ask_human", false, "blue"]);
});
