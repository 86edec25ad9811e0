/** What people do to a run reaches the graphs that it calls, by the path that leads there. */
import { describe, expect, test } from "vitest";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { type DrivenTestRun, drive } from "../driven-run.ts";

const TEXT = `model m = "rules"
graph Parent(topics: string[]) returns notes {
  state { notes: string[] = [] via append }
  graph go(topic: string) = Search(topic) writes notes
  agent last { model m; prompt \`End \${notes}.\`; writes notes }
  start -> each topic of topics parallel 1 { go(topic) } -> last
}
graph Search(topic: string) returns found {
  state { found: string[] = [] via append  width: int = 1 }
  agent search {
    model m; prompt \`Search \${topic} \${width}.\`; writes found
    state { seen: int = 0 }
    set seen = seen + 1
  }
  agent read { model m; prompt \`Read \${found} \${width}.\`; writes found }
  start -> search -> read
}`;

function held(topics = ["x"]): DrivenTestRun {
  return drive(TEXT, {
    input: { topics },
    does: ({ node, prompt }) => `${prompt} by ${node.name}`,
  });
}

const folded = ({ run, store }: DrivenTestRun) => foldLog(link(run.ir), store.read(run.id));

describe("`edit` of a called graph", () => {
  test("goes by its label, stands in the log, and its nodes see it", async () => {
    const driven = held();
    const { run } = driven;
    await run.step();
    expect(run.child("go#1")?.state).toMatchObject({ width: 1 });
    await run.edit({ width: 7 }, { of: "go#1", reason: "wider" });
    expect(run.child("go#1")?.state).toMatchObject({ width: 7 });
    await run.continue();
    expect((await run.output).notes).toEqual([
      "Search x 1. by search",
      expect.stringContaining("7. by read"),
      expect.stringContaining("by last"),
    ]);
    expect(folded(driven).output).toEqual(await run.output);
    expect(run.replay()).toMatchObject({ ok: true });
    const told: unknown[] = [];
    run.events$.subscribe((event) => {
      if (event.kind === "run.edited") told.push([event.path, event.reason, event.patches]);
    });
    expect(told).toEqual([[["go#1"], "wider", [expect.objectContaining({ path: ["width"] })]]]);
  });

  test("survives that the process dies, and going back undoes it", async () => {
    const driven = held();
    const { run } = driven;
    await run.step();
    await run.edit({ width: 7 }, { of: "go" });
    const found = driven.found();
    expect(found.child("go#1")?.state).toMatchObject({ width: 7 });
    await run.rewind(0);
    await run.step();
    expect(run.child("go#1")?.state).toMatchObject({ width: 1 });
  });

  test.each([
    ["go#2", "M5381", "`go#2` has called no graph", "did you mean `go#1`?"],
    ["go#1 › deeper#1", "M5381", "`go#1 › deeper#1` has called no graph", undefined],
  ])("of %s is %s", async (of, code, message, hint) => {
    const { run } = held();
    await run.step();
    await expect(run.edit({ width: 7 }, { of })).rejects.toMatchObject({
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
    });
  });

  test("of a field that is not there, of one that is over, and of one of several", async () => {
    const { run } = held(["x", "y"]);
    await run.step();
    await expect(run.edit({ notes: [] }, { of: "go#1" })).rejects.toMatchObject({
      code: "M5354",
      message: "`Search` has no field `notes`",
    });
    run.setBreakpoint("last");
    await run.continue();
    await expect(run.edit({ width: 7 }, { of: "go#1" })).rejects.toMatchObject({
      code: "M5381",
      message: "the graph that `go#1` called is over",
    });
    await expect(run.edit({ width: 7 }, { of: "go" })).rejects.toMatchObject({
      code: "M5381",
      message: "`go` has called several graphs",
    });
  });
});

describe("`use` of a node of a called graph", () => {
  test("is of the calls under way and of those to come", async () => {
    const driven = held(["x", "y"]);
    const { run } = driven;
    await run.step();
    await run.use("go/read", { prompt: "READ" });
    await run.continue();
    expect(((await run.output).notes as string[]).slice(0, 4)).toEqual([
      "Search x 1. by search",
      "READ by read",
      "Search y 1. by search",
      "READ by read",
    ]);
    expect(folded(driven).output).toEqual(await run.output);
    expect(run.replay()).toMatchObject({ ok: true });
  });

  test.each([
    ["go/raed", "`Search` has no node `raed`", "did you mean `read`?"],
    ["og/read", "`Parent` has no node `og`", "did you mean `go`?"],
    ["go#1", "`Parent` has no node `go#1`", expect.stringContaining("`go/search`")],
  ])("%s is M5361", async (node, message, hint) => {
    const { run } = held();
    await run.step();
    await expect(run.use(node, { prompt: "x" })).rejects.toMatchObject({
      code: "M5361",
      message,
      hint,
    });
  });
});

describe("`agent` of a called graph", () => {
  test("is found by labels, or by names where there is one call", async () => {
    const { run } = held();
    run.setBreakpoint("last");
    await run.continue();
    for (const id of ["go#1 › search#1", "go/search", "go#1/search"]) {
      const agent = run.agent(id);
      expect([agent.id, agent.node]).toEqual(["go#1 › search", "search"]);
      expect(agent.context).toMatchObject({
        agent_id: "go#1 › search",
        outputs: ["Search x 1. by search"],
      });
    }
  });

  test("has the state of its own, in each call by itself", async () => {
    const { run } = held(["x", "y"]);
    run.setBreakpoint("last");
    await run.continue();
    expect(run.agent("go#2 › search").state).toEqual({ seen: 1 });
    expect(() => run.agent("go/search")).toThrow(
      expect.objectContaining({
        code: "M5381",
        hint: "say which: `go#1`, `go#2`",
      }),
    );
    expect(() => run.agent("go#3 › search")).toThrow(
      expect.objectContaining({ code: "M5381", message: "`go#3` has called no graph" }),
    );
    expect(() => run.agent("go#1 › serch")).toThrow(
      expect.objectContaining({ code: "M5355", hint: "did you mean `search`?" }),
    );
  });
});
