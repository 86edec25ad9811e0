/** `break` statements of a graph, and `effects` as what its tools may do when it runs. */
import { afterEach, expect, test } from "vitest";
import { type Graph, Session, tool } from "../../../runtime/index.ts";

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function graphOf(text: string, name: string, scope: object = {}): Graph {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  sessions.push(session);
  const graph = session.compile(text, { scope: { ...scope } })[name];
  if (graph === undefined) throw new Error("no graph");
  return graph;
}

const counting = `graph Count(n: int) returns values {
  state { values: int[] = [] via append }
  run add = size(values) writes values
  limit 100 steps
  break after add when values.length == 2
  start -> add -> { values.length < n -> add, else -> end }
}
graph Outer(n: int) returns all {
  state { all: int[] }
  graph inner = Count(n) writes all
  break before inner
  start -> inner -> end
}`;
const scope = { size: (list: readonly number[]) => list.length };

test("a `break` holds the run where its condition holds, and nowhere else", async () => {
  const run = graphOf(counting, "Count", scope).run({ n: 4 });
  const stop = await run.continue();
  expect(stop).toMatchObject({ kind: "breakpoint", node: "add", when: "after" });
  expect(run.state).toEqual({ values: [0, 1] });
  expect(await run.continue()).toEqual({ kind: "end", status: "succeeded" });
});

test("the `break`s of a called graph hold its caller", async () => {
  const run = graphOf(counting, "Outer", scope).run({ n: 3 });
  expect(await run.continue()).toMatchObject({ node: "inner", when: "before" });
  expect(await run.continue()).toMatchObject({ node: "inner/add", when: "after" });
  expect(await run.continue()).toEqual({ kind: "end", status: "succeeded" });
  expect(run.state).toEqual({ all: [0, 1, 2] });
});

test("without anybody who watches, a run goes past them", async () => {
  const run = graphOf(counting, "Outer", scope).run({ n: 3 }, { breaks: false });
  expect(await run.output).toEqual({ all: [0, 1, 2] });
});

test("a tool of another scope that may do more than its node is refused before the run starts", () => {
  const text = `model m = "scripted"
graph Clean() returns report {
  state { report: string }
  agent sweep { model m; tools remove; effects workspace; prompt \`Clean.\`; writes report }
  start -> sweep
}`;
  const input = { type: "object", properties: {} };
  const remove = tool(async () => "gone", { effect: "external", input });
  const graph = graphOf(text, "Clean", {
    remove: tool(async () => "gone", { effect: "none", input }),
  });
  const options = { models: { m: "rules" }, scope: { remove } };
  expect(() => graph.run({}, options)).toThrow(
    "`remove` has effect `external`, and `sweep` may have `workspace`",
  );
});
