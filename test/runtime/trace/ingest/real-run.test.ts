/** The trace of runs that the engine made. */
import { applyPatches, enablePatches, type Patch } from "immer";
import { expect, onTestFinished, test } from "vitest";
import { check } from "../../../../dsl/index.ts";
import { flowNames } from "../../../../runtime/events/flow-names.ts";
import { type Run, Session, scripted, type TraceStore } from "../../../../runtime/index.ts";
import { link } from "../../../../runtime/scheduler/program/link.ts";
import { lines, newFolder } from "../store.ts";

enablePatches();

const search = `model m = "scripted"
graph Search(question: string) returns notes, report {
  state {
    tasks: string[] = []
    notes: string[] = [] via append
    report: string = ""
    asked: int = 0
  }
  agent plan { model m; prompt \`Split \${question}\`; writes tasks }
  agent look(task: string) { model m; prompt \`Do \${task}\`; writes notes }
  run write = join(notes) writes report
  start -> plan set asked = 1
  plan -> each task of tasks { look(task) } -> write -> end
}`;

const script = {
  plan: [["a", "b"]],
  look: [
    { says: "note a", when: "Do a" },
    { says: "note b", when: "Do b" },
  ],
};

/** Runs the search to its end, and opens the trace of its session. */
async function searched(
  join: (notes: string[]) => unknown = (notes) => notes.join(", "),
): Promise<{ run: Run; traces: TraceStore }> {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const graph = session.compile(search, { scope: { join } }).Search;
  if (graph === undefined) throw new Error("no graph");
  const run = graph.run({ question: "why" }, { models: { m: scripted(script) } });
  await run.output.catch(() => {});
  return { run, traces: await session.traces() };
}

test("state_at gives the state after every step of a run", async () => {
  const { run, traces } = await searched();
  expect(run.steps.map(({ node }) => node)).toEqual(["plan", "look", "look", "write"]);
  for (const { step, state } of run.steps) {
    const rows = await traces.query("FROM state_at($run, $step)", { run: run.id, step });
    const patches = rows.flatMap((row) => row.patches as unknown as Patch[]);
    expect(applyPatches({}, patches), `step ${step}`).toEqual(state);
  }
});

test("the totals of a run are those of its engine", async () => {
  const { run, traces } = await searched();
  const sql =
    "SELECT status, steps, model_calls, tool_calls, input_tokens, output_tokens FROM runs";
  const { modelCalls, toolCalls, inputTokens, outputTokens } = run.usage;
  expect(await traces.query(sql)).toEqual([
    {
      status: "succeeded",
      steps: 4,
      model_calls: modelCalls,
      tool_calls: toolCalls,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
    },
  ]);
  const sums = await traces.query(
    "SELECT sum(model_calls) AS calls, sum(input_tokens) AS tokens FROM node_runs",
  );
  expect(sums).toEqual([{ calls: modelCalls, tokens: inputTokens }]);
});

test("W25 the tasks are committed before the first search begins", async () => {
  const { traces } = await searched();
  const sql = `
    SELECT kind, node
    FROM events
    WHERE (kind = 'commit' AND node = 'plan') OR (kind = 'attempt.started' AND node = 'look')
    ORDER BY seq, part`;
  expect(await lines(traces, sql)).toBe("commit plan\nattempt.started look\nattempt.started look");
  const [change] = await traces.query("SELECT field, value FROM state_changes WHERE step = 1");
  expect(change).toEqual({ field: "tasks", value: ["a", "b"] });
});

test("every node run is followed back to the start of the run", async () => {
  const { traces } = await searched();
  const sql = "SELECT node FROM critical_path((SELECT run_id FROM runs))";
  expect(await lines(traces, sql)).toBe("plan\nlook\nwrite");
  const open = await traces.query("FROM open_spans");
  expect(open).toEqual([]);
});

test("a failed run says at which node, and why", async () => {
  const { traces } = await searched(() => {
    throw new Error("no ink");
  });
  const sql = "SELECT status, reason, error_node, error_message FROM runs";
  expect(await traces.query(sql)).toMatchObject([
    { status: "failed", reason: "error", error_node: "write" },
  ]);
  const [{ error_message: message } = {}] = await traces.query(sql);
  expect(message).toContain("no ink");
  expect(await lines(traces, "SELECT node, status FROM node_runs ORDER BY ts, node_run")).toBe(
    "plan succeeded\nlook succeeded\nlook succeeded\nwrite failed",
  );
});

test("the critical path of a failed run ends where it failed, not at what that cut short", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const slow = Promise.withResolvers<void>();
  const scope = {
    fails: () => slow.promise.then(() => Promise.reject(new Error("no"))),
    waits: () => {
      slow.resolve();
      return new Promise(() => {});
    },
    begins: () => "x",
  };
  const graph = session.compile(
    `graph G() returns b {
      state { a: string[] = [] via append\n b: string = "" }
      run first = begins() writes a
      run one = fails() writes a
      run two = waits() writes a
      run last = begins() writes b
      start -> first -> [one, two] -> last
    }`,
    { scope },
  ).G;
  if (graph === undefined) throw new Error("no graph");
  await graph.run({}).output.catch(() => {});
  const traces = await session.traces();
  const id = "(SELECT run_id FROM runs)";
  expect(await lines(traces, "SELECT node, status FROM node_runs ORDER BY node")).toBe(
    "first succeeded\none failed\ntwo aborted",
  );
  expect(await lines(traces, `SELECT node FROM critical_path(${id})`)).toBe("first\none");
});

test("an aborted run leaves nothing open", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const called = Promise.withResolvers<void>();
  const join = () => {
    called.resolve();
    return new Promise(() => {});
  };
  const graph = session.compile(search, { scope: { join } }).Search;
  if (graph === undefined) throw new Error("no graph");
  const run = graph.run({ question: "why" }, { models: { m: scripted(script) } });
  await called.promise;
  await run.abort("enough");
  const traces = await session.traces();
  expect(await lines(traces, "SELECT status, reason FROM runs")).toBe("aborted enough");
  expect(await lines(traces, "SELECT status FROM node_runs WHERE node = 'write'")).toBe("aborted");
  expect(await traces.query("FROM open_spans")).toEqual([]);
});

test("numbers in a log have the names that link gives them", () => {
  const text = `graph G() {
    state {
      xs: string[] = []
      n: number = 0 via sum
    }
    run a = f() writes n
    run b = f() writes n
    run c = f() writes n
    run d(x: string) = f() writes n
    run e(x: string) = f() writes n
    start -> [a, b] -> c -> { n > 1 -> each x of xs { d(x) -> each y of xs { e(y) } } -> end, else -> end }
  }`;
  const { graphs, diagnostics } = check({ file: "g", text }, { scope: undefined });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const [ir] = graphs;
  if (ir === undefined) throw new Error("no graph");
  const program = link(ir);
  expect(flowNames(ir)).toEqual({
    nodes: program.nodes.map((node) => node.ir.name),
    joins: program.joins.map(({ name }) => name),
    eaches: program.eaches.map((each) => each.ir.id),
  });
  expect(flowNames(ir)).toMatchObject({ joins: ["[a, b]"], eaches: ["x", "y"] });
});
