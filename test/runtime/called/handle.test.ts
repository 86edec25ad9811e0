import { describe, expect, test } from "vitest";
import { FailureError } from "../../../runtime/failure.ts";
import { Session, scripted } from "../../../runtime/index.ts";
import { type DrivenOptions, drive } from "../driven-run.ts";

const TEXT = `model m = "rules"
graph Parent(topic: string) returns notes {
  state { notes: string[] = [] via append }
  agent first { model m; prompt \`Begin \${topic}.\`; writes notes }
  graph go = Search(topic) writes notes
  agent last { model m; prompt \`End \${notes}.\`; writes notes }
  start -> first -> go -> last
}
graph Search(topic: string) returns found {
  state { found: string[] = [] via append }
  agent search { model m; prompt \`Search \${topic}.\`; writes found }
  agent read { model m; prompt \`Read \${found}.\`; writes found }
  start -> search -> read
}`;

const OPTIONS: DrivenOptions = {
  input: { topic: "x" },
  does: ({ node }) => node.name,
};

describe("a run that calls a graph", () => {
  test("ends with what the graph gives back", async () => {
    const { run } = drive(TEXT, { ...OPTIONS, goal: "end" });
    expect(await run.output).toEqual({ notes: ["first", "search", "read", "last"] });
    expect(run.steps.map(({ node }) => node)).toEqual(["first", "go", "last"]);
  });

  test("shows the graph with its own state and steps", async () => {
    const { run } = drive(TEXT, { ...OPTIONS, goal: "end" });
    await run.output;
    const called = run.child("go#1");
    expect(called).toMatchObject({
      path: ["go#1"],
      graph: "Search",
      status: "succeeded",
      input: { topic: "x" },
      output: { found: ["search", "read"] },
      state: { found: ["search", "read"] },
    });
    expect(
      called?.steps.map(({ step, node, nodeRunId, state }) => ({ step, node, nodeRunId, state })),
    ).toEqual([
      { step: 1, node: "search", nodeRunId: `${run.id}/1/0`, state: { found: ["search"] } },
      { step: 2, node: "read", nodeRunId: `${run.id}/1/1`, state: { found: ["search", "read"] } },
    ]);
  });

  test("is stepped through into the graph", async () => {
    const { run } = drive(TEXT, OPTIONS);
    const walked: string[] = [];
    while (run.status !== "succeeded") {
      const { path = [], node, step } = await run.step();
      walked.push([...path, `${node} ${step}`].join(" "));
      if (walked.length > 4) break;
    }
    expect(walked).toEqual(["first 1", "go#1 search 1", "go#1 read 2", "go 2", "last 3"]);
  });

  test("stops at a breakpoint in the graph", async () => {
    const { run } = drive(TEXT, OPTIONS);
    run.setBreakpoint("go/read");
    expect(await run.continue()).toMatchObject({
      kind: "breakpoint",
      node: "go/read",
      nodeRunId: `${run.id}/1/1`,
    });
    expect(run.child("go#1")?.state).toEqual({ found: ["search"] });
    expect(await run.continue()).toEqual({ kind: "end", status: "succeeded" });
    expect(() => run.setBreakpoint("go/nothing")).toThrow("`Search` has no node `nothing`");
  });

  test("goes on in the graph where it was paused", async () => {
    const { run, performed, found } = drive(TEXT, OPTIONS);
    await run.step();
    await run.step();
    await run.pause({ now: true });
    const other = found();
    expect(await other.continue()).toEqual({ kind: "end", status: "succeeded" });
    expect(await other.output).toEqual({ notes: ["first", "search", "read", "last"] });
    expect(performed).toEqual(["first#1", "search#1", "read#1", "last#1"]);
  });

  test("fails with the way to where it failed, and goes on there", async () => {
    let isBroken = true;
    const { run } = drive(TEXT, {
      ...OPTIONS,
      goal: "end",
      does: ({ node }) => {
        if (node.name === "read" && isBroken)
          throw new FailureError({ class: "tool", code: "M8301", message: "no paper" });
        return node.name;
      },
    });
    await expect(run.output).rejects.toMatchObject({
      code: "M8301",
      message: "go › read: no paper",
      node: "go",
    });
    isBroken = false;
    await run.resume();
    expect(await run.output).toEqual({ notes: ["first", "search", "read", "last"] });
    expect(run.child("go#1")?.steps.map(({ node }) => node)).toEqual(["search", "read"]);
  });

  test("a model is chosen for every graph that has the alias, or for one by its name", async () => {
    const session = new Session({ store: "memory", env: {} });
    const graph = session.compile(TEXT).Parent;
    const says = { first: ["1"], search: ["2"], read: ["3"], last: ["4"] };
    const of = async (models: Record<string, ReturnType<typeof scripted>>) =>
      (await graph?.invoke({ topic: "x" }, { models }))?.notes;
    expect(await of({ m: scripted(says) })).toEqual(["1", "2", "3", "4"]);
    const own = scripted({ search: ["own"], read: ["own"] });
    expect(await of({ m: scripted(says), "Search.m": own })).toEqual(["1", "own", "own", "4"]);
    await expect(of({ m: scripted(says), "Search.n": own })).rejects.toMatchObject({
      code: "M8113",
    });
    await session.close();
  });
});
