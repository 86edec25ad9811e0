/** LangGraph: time travel with subgraphs shows the wrong state, or runs the wrong part again. */
import { expect, test } from "vitest";
import { drive } from "../driven-run.ts";

const TEXT = `model m = "rules"
graph Parent(topic: string) returns notes {
  state { notes: string[] = [] via append }
  agent first { model m; prompt \`Begin \${topic}.\`; writes notes }
  graph go = Middle(topic) writes notes
  agent beside { model m; prompt "Beside."; writes notes }
  agent last { model m; prompt \`End \${notes}.\`; writes notes }
  start -> first -> [go, beside] -> last
}
graph Middle(topic: string) returns all {
  state { all: string[] = [] via append }
  agent open { model m; prompt "Open."; writes all }
  graph inner = Leaf(topic) writes all
  start -> open -> inner
}
graph Leaf(topic: string) returns found {
  state { found: string[] = [] via append }
  agent search { model m; prompt \`Search \${topic}.\`; writes found }
  agent read { model m; prompt \`Read \${found}.\`; writes found }
  start -> search -> read
}`;

const EXPECTED = { notes: ["first", "open", "search", "read", "beside", "last"] };

test("pain 2 a rewind takes up the graphs that were running then, where they stood, and nothing else runs again", async () => {
  const { run, performed } = drive(TEXT, {
    input: { topic: "x" },
    does: ({ node }) => node.name,
  });
  // Up to the step in which the node beside the graph commits, with the graph in the middle of its work.
  let step = await run.step();
  const walked = [step.node];
  while (step.node !== "beside") {
    step = await run.step();
    walked.push(step.node);
  }
  const outputThen = run.child("go#1")?.output;
  const then = run.child("go#1")?.state;
  const at = run.steps.length;
  await run.continue();
  expect(await run.output).toEqual(EXPECTED);

  await run.rewind(at);
  expect(outputThen).toBeUndefined();
  expect(run.child("go#1")?.state).toEqual(then);
  const before = performed.length;
  await run.continue();
  expect(await run.output).toEqual(EXPECTED);
  const again = performed.slice(before);
  expect(again).not.toContain("first#1");
  expect(again).not.toContain("beside#1");
  // What had committed in the graph by then is not done again.
  for (const label of walked.map((node) => `${node}#1`)) expect(again).not.toContain(label);
  expect(again.at(-1)).toBe("last#1");
});

test("pain 2 a rewind to before the graph undoes it, and it begins anew under another name", async () => {
  const { run, performed } = drive(TEXT, {
    input: { topic: "x" },
    does: ({ node }) => node.name,
    goal: "end",
  });
  await run.output;
  const first = run.child("go#1")?.child("inner#1")?.steps[0]?.nodeRunId;
  await run.rewind(1);
  expect(run.children).toEqual([]);
  await run.continue();
  expect(await run.output).toEqual(EXPECTED);
  const second = run.child("go#1")?.child("inner#1")?.steps[0]?.nodeRunId;
  expect(second).not.toBe(first);
  expect(performed.filter((label) => label === "search#1")).toHaveLength(2);
  expect(performed.filter((label) => label === "first#1")).toHaveLength(1);
});
