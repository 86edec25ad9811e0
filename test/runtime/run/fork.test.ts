/** Branches of a run, and one node run of it tried again. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type DrivenRun, rules, Session } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";

vi.setConfig({ testTimeout: 60_000 });

const TEXT = `graph Sum() returns total {
  state {
    one: int = 0
    two: int = 0
    total: int = 0
  }
  run first = first() writes one
  run second = second() writes two
  run add = add(one, two) writes total
  start -> first -> second -> add -> end
}`;

interface Counted {
  readonly session: Session;
  readonly calls: string[];
  readonly run: DrivenRun;
}

function started(cwd = temporaryFolder()): Counted {
  const session = new Session({ cwd, env: {}, name: "fork" });
  onTestFinished(() => session.close());
  const calls: string[] = [];
  let value = 0;
  const called = (name: string) => {
    calls.push(name);
    value += 1;
    return value;
  };
  const scope = {
    first: () => called("first"),
    second: () => called("second"),
    add: (one: number, two: number) => {
      calls.push("add");
      return one + two;
    },
  };
  const { Sum } = session.compile(TEXT, { scope });
  if (Sum === undefined) throw new Error("no graph");
  return { session, calls, run: Sum.run({}) as unknown as DrivenRun };
}

test("W49 a fork goes on from a step with another value; the run that it left stays as it is", async () => {
  const { session, calls, run } = started();
  expect(await run.output).toEqual({ total: 3 });
  const branch = run.fork(2, { two: 40 });
  expect(branch.id).not.toBe(run.id);
  expect(await branch.output).toEqual({ total: 41 });
  expect(calls).toEqual(["first", "second", "add", "add"]);
  expect([run.state.total, branch.thread, run.steps.length]).toEqual([3, run.thread, 3]);
  expect(branch.replay()).toMatchObject({ ok: true });
  expect(session.list({ thread: run.thread })).toMatchObject([
    { runId: branch.id, forkedFrom: { runId: run.id, step: 2 } },
    { runId: run.id },
  ]);
});

test("a fork is opened and forked again as any other run, from the start too", async () => {
  const { session, run, calls } = started();
  await run.output;
  const branch = run.fork(1);
  await branch.output;
  const again = session.open(branch.id).fork(0);
  expect(await again.output).toEqual({ total: 4 + 5 });
  expect(calls.filter((name) => name === "first")).toHaveLength(2);
  expect(session.store.meta(again.id).forkedFrom).toMatchObject({ runId: branch.id, step: 0 });
});

test("what does not fit is told before there is a branch", async () => {
  const { session, run } = started();
  await run.output;
  expect(() => run.fork(9)).toThrow(expect.objectContaining({ code: "M5007" }));
  expect(() => run.fork(1, { two: "x" })).toThrow(expect.objectContaining({ code: "M5354" }));
  expect(session.list()).toHaveLength(1);
});

test("A96 a node run tried again: its calls are made anew, what was before it stays, what was behind it runs again", async () => {
  const { run, calls } = started();
  await run.output;
  calls.length = 0;
  await run.retry("second#1");
  expect(await run.output).toEqual({ total: 1 + 3 });
  expect(calls).toEqual(["second", "add"]);
  await run.retry("second#1");
  expect(await run.output).toEqual({ total: 1 + 4 });
  expect(run.steps.map(({ node }) => node)).toEqual(["first", "second", "add"]);
  expect(run.replay()).toMatchObject({ ok: true });
  await expect(run.retry("third#1")).rejects.toMatchObject({ code: "M5390" });
});

test("what a fork has from the run that it left was paid for there: the trace counts it once", async () => {
  const session = new Session({ cwd: temporaryFolder(), env: {}, name: "paid" });
  onTestFinished(() => session.close());
  const m = rules(() => JSON.stringify("said"));
  const { Two } = session.compile(`model m = "scripted"
graph Two() returns b {
  state { a: string\n b: string }
  agent one { model m; prompt \`One.\`; writes a }
  agent two { model m; prompt \`Two: \${a}\`; writes b }
  start -> one -> two -> end
}`);
  const run = Two?.run({}, { models: { m } }) as unknown as DrivenRun;
  await run.output;
  const branch = run.fork(1);
  await branch.output;
  const traces = await session.traces();
  const told = async (sql: string) => (await traces.query(sql)).map((row) => Object.values(row));
  expect(
    await told("SELECT run_id, model_calls, input_tokens > 0 FROM runs ORDER BY ts, run_id"),
  ).toEqual(
    expect.arrayContaining([
      [run.id, 2, true],
      [branch.id, 1, true],
    ]),
  );
  const calls =
    "SELECT node, copied, input_tokens IS NULL FROM llm_calls WHERE run_id = $run ORDER BY seq";
  expect((await traces.query(calls, { run: branch.id })).map((row) => Object.values(row))).toEqual([
    ["one", true, true],
    ["two", false, false],
  ]);
  expect(await told("SELECT count(*) FROM llm_calls WHERE NOT copied")).toEqual([[3]]);
});
