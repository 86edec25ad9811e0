/** A run again after an edit: what is unchanged is served from the log, what follows from the edit is performed. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type GraphRun, type Scope, Session } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";

vi.setConfig({ testTimeout: 60_000 });

const SUM = (
  edge = "start -> first -> second -> add -> end",
) => `graph Sum(base: int) returns total {
  state {
    one: int = 0
    two: int = 0
    total: int = 0
  }
  run first = first(base) writes one
  run second = second(one) writes two
  run add = add(one, two) writes total
  ${edge}
}`;

let calls: string[] = [];
const SCOPE = {
  first: (base: number) => {
    calls.push("first");
    return base + 1;
  },
  second: (one: number) => {
    calls.push("second");
    return one * 2;
  },
  add: (one: number, two: number) => {
    calls.push("add");
    return one + two;
  },
};

function opened(scope: Scope = SCOPE, text = SUM()) {
  const session = new Session({ cwd: temporaryFolder(), env: {}, name: "rerun" });
  onTestFinished(() => session.close());
  calls = [];
  const compiled = (of: string, names: Scope = scope) => {
    const [graph] = Object.values(session.compile(of, { scope: names }));
    if (graph === undefined) throw new Error("no graph");
    return graph;
  };
  return { session, graph: compiled(text), compiled };
}

test("A run again without an edit calls nothing, and comes to the same", async () => {
  const { graph } = opened();
  const run = graph.run({ base: 1 });
  expect(await run.output).toEqual({ total: 6 });
  expect(calls).toEqual(["first", "second", "add"]);
  const plan = await graph.rerun(run);
  expect(calls).toHaveLength(3);
  expect(plan.performs).toEqual([]);
  expect(plan.saves.sure.nodeRuns).toBe(3);
  const again = plan.run();
  expect(await again.output).toEqual({ total: 6 });
  expect(again.state).toEqual(run.state);
  expect(calls).toHaveLength(3);
  expect(again.id).not.toBe(run.id);
  expect((again as unknown as GraphRun).replay()).toMatchObject({ ok: true });
});

test("only what is downstream of another function is called", async () => {
  const { graph, compiled } = opened();
  const run = graph.run({ base: 1 });
  await run.output;
  calls = [];
  const second = (one: number) => {
    calls.push("second");
    return one * 3;
  };
  const edited = compiled(SUM(), { ...SCOPE, second });
  const plan = await edited.rerun(run);
  expect(calls).toEqual([]);
  expect(plan.performs).toEqual([
    { node: "second", label: "second#1", why: ["function `second`: code changed"] },
  ]);
  expect([plan.saves.sure.nodeRuns, plan.saves.maybe.nodeRuns]).toEqual([1, 1]);
  expect(await plan.run().output).toEqual({ total: 8 });
  expect(calls).toEqual(["second", "add"]);
});
