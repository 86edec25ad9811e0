import { applyPatches, enablePatches, type Patch } from "immer";
import { expect, test } from "vitest";
import type { LogRecord } from "../../../../runtime/records/records.ts";
import { callCounts, nodeTable, runList } from "../../../../runtime/trace/sql/queries.ts";
import type { TraceStore } from "../../../../runtime/trace/trace-store.ts";
import { begin, failedRun, NOON, searchRun, sourceOf } from "../sample.ts";
import { lines, traced } from "../store.ts";

enablePatches();

test("node runs: from the first attempt's start to the last one's end", async () => {
  const traces = await traced(sourceOf([searchRun("r1"), failedRun("r2")]));
  const sql = `
    SELECT label, step, attempts, status, error_class, dur_us, model_calls, tool_calls, input_tokens
    FROM node_runs
    ORDER BY run_id, node_run`;
  expect(await lines(traces, sql)).toMatchInlineSnapshot(`
    "plan#1 1 1 succeeded null 300000 1 0 100
    search#1 3 2 succeeded null 1000000 2 0 100
    search#2 2 1 succeeded null 900000 0 1 0
    report#1 4 1 succeeded null 300000 1 0 100
    plan#1 null 1 failed limit 100000 0 0 0"
  `);
});

test("node runs of a run that still goes, or that ended over them", async () => {
  const run = searchRun("r1");
  const source = sourceOf([run]);
  const statuses = async (traces: TraceStore) =>
    lines(traces, "SELECT label, status, dur_us FROM node_runs ORDER BY node_run");
  source.show("r1", 12);
  expect(await statuses(await traced(source))).toMatchInlineSnapshot(`
    "plan#1 succeeded 300000
    search#1 ready null
    search#2 running null"
  `);
  const aborted: LogRecord = {
    seq: 13,
    at: NOON + 5_000,
    kind: "end",
    status: "aborted",
    reason: "user",
    patches: [],
  };
  const cut = { ...run, records: [...run.records.slice(0, 12), aborted] };
  expect(await statuses(await traced(sourceOf([cut])))).toMatchInlineSnapshot(`
    "plan#1 succeeded 300000
    search#1 aborted 600000
    search#2 aborted 500000"
  `);
});

test("model calls, with what was asked and answered", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  const sql = `
    SELECT label, attempt, step, status, dur_us, ttft_us, transport_retries, request, response
    FROM llm_calls
    ORDER BY seq`;
  expect(await lines(traces, sql)).toMatchInlineSnapshot(`
    "plan#1 1 1 ok 90000 30000 null {"messages":[{"role":"user","content":"go"}]} {"tasks":["a","b"]}
    search#1 1 3 error 250000 null 2 {"messages":[{"role":"user","content":"go"}]} {"class":"transport","code":"M9000","message":"the line went dead"}
    search#1 2 3 ok 90000 30000 null {"messages":[{"role":"user","content":"go"}]} found a
    report#1 1 4 ok 90000 30000 null {"messages":[{"role":"user","content":"go"}]} because"
  `);
});

test("tool calls", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  const sql = "SELECT label, step, tool, status, dur_us, request, result FROM tool_calls";
  expect(await lines(traces, sql)).toMatchInlineSnapshot(
    `"search#2 2 docs.search ok 12500 {"query":"b"} ["hit 1","hit 2"]"`,
  );
});

test("steps, with the fields that they changed", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  const sql = "SELECT step, label, dur_us, fields, output FROM steps ORDER BY step";
  expect(await lines(traces, sql)).toMatchInlineSnapshot(`
    "1 plan#1 300000 ["tasks"] {"tasks":["a","b"]}
    2 search#2 900000 ["findings"] b
    3 search#1 400000 ["findings"] a
    4 report#1 300000 ["report"] because"
  `);
});

test("state changes, one row a patch", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  const sql = `
    SELECT step, node, op, field, path, value
    FROM state_changes
    WHERE step > 0
    ORDER BY seq, place`;
  expect(await lines(traces, sql)).toMatchInlineSnapshot(`
    "1 plan replace tasks ["tasks"] ["a","b"]
    2 search add findings ["findings",0] b
    3 search add findings ["findings",1] a
    4 report replace report ["report"] because
    4 null remove findings ["findings",1] null"
  `);
});

test("state_at(run, n) folds to the state after step n", async () => {
  const run = searchRun("r1");
  const traces = await traced(sourceOf([run]));
  for (let step = 0; step <= 4; step += 1) {
    const rows = await traces.query("FROM state_at('r1', $step)", { step });
    const patches = rows.flatMap((row) => row.patches as unknown as Patch[]);
    expect(applyPatches({}, patches), `step ${step}`).toEqual(stateAfter(run.records, step));
  }
});

/** The state by the log itself, record after record. */
function stateAfter(records: readonly LogRecord[], step: number): object {
  let state: object = {};
  let at = 0;
  for (const record of records) {
    if (record.kind === "run") state = record.state;
    if (record.kind === "commit") at = record.step;
    if (at > step) return state;
    if (record.kind === "commit" || record.kind === "end") {
      state = applyPatches(state, record.patches as unknown as Patch[]);
    }
  }
  return state;
}

test("run_gantt: the run, its attempts, their calls", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  const sql =
    "SELECT depth, kind, coalesce(label, name), begin_s, end_s, status FROM run_gantt('r1')";
  expect(await lines(traces, sql)).toMatchInlineSnapshot(`
    "0 run DeepSearch 0 2.1 succeeded
    1 attempt plan#1 0.1 0.4 ok
    2 model plan#1 0.21 0.3 ok
    1 each task 0.4 1.6 null
    1 attempt search#1 0.5 1.1 error
    1 attempt search#2 0.6 1.5 ok
    2 model search#1 0.75 1 error
    2 tool search#2 0.8875 0.9 ok
    1 attempt search#1 1.2 1.6 ok
    2 model search#1 1.31 1.4 ok
    1 attempt report#1 1.7 2 ok
    2 model report#1 1.81 1.9 ok"
  `);
});

test("run_gantt of a run that still goes: what is open reaches to the last event", async () => {
  const source = sourceOf([searchRun("r1")]);
  source.show("r1", 8);
  const traces = await traced(source);
  const sql =
    "SELECT kind, label, begin_s, end_s, status FROM run_gantt('r1') WHERE status = 'running'";
  expect(await lines(traces, sql)).toMatchInlineSnapshot(`
    "run null 0 0.7 running
    attempt search#1 0.5 0.7 running
    attempt search#2 0.6 0.7 running
    model search#1 0.7 0.7 running"
  `);
});

test("a call that a crash cut off is closed by the next attempt of its node run", async () => {
  const run = searchRun("r1");
  const again = run.records.find(({ seq }) => seq === 2);
  if (again?.kind !== "start") throw new Error("the sample begins otherwise");
  const resumed = { ...again, seq: 4, at: NOON + 900, reason: "resume" } as const;
  const records = [...run.records.slice(0, 3), resumed];
  const traces = await traced(sourceOf([{ ...run, records }]));
  expect(await lines(traces, "SELECT kind, span_id FROM open_spans ORDER BY span_id")).toBe(
    "run 1\nattempt 4",
  );
});

test("critical_path: what the end waited for", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  const sql = "SELECT place, label, dur_us, wait_us FROM critical_path('r1')";
  expect(await lines(traces, sql)).toMatchInlineSnapshot(`
    "1 plan#1 300000 null
    2 search#1 1000000 100000
    3 report#1 300000 100000"
  `);
});

test("parallelism: how many attempts ran from when on", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  const sql =
    "SELECT (epoch_ms(ts) - epoch_ms(min(ts) OVER ()))::INTEGER, running FROM parallelism('r1')";
  expect(await lines(traces, sql)).toMatchInlineSnapshot(`
    "0 1
    300 0
    400 1
    500 2
    1000 1
    1100 2
    1400 1
    1500 0
    1600 1
    1900 0"
  `);
});

test.each(["node", "attempt", "model", "tool", "each", "run"])("latency_by('%s')", async (kind) => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  const rows = await lines(traces, `SELECT name, n, p50_us, max_us FROM latency_by('${kind}')`);
  expect(rows).toMatchSnapshot();
});

test("compare_runs: node by node, what only one of them has stays", async () => {
  const traces = await traced(sourceOf([searchRun("r1"), failedRun("r2")]));
  const sql =
    "SELECT node, runs_a, runs_b, dur_us_a, dur_us_b, cost_usd_a FROM compare_runs('r1', 'r2')";
  expect(await lines(traces, sql)).toMatchInlineSnapshot(`
    "plan 1 1 300000 100000 0.25
    report 1 null 300000 null 0.5
    search 2 null 1900000 null null"
  `);
});

test("repriced: prices that people write fill in for unknown ones", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  await traces.query("INSERT INTO model_prices VALUES ('rules', '2026-01-01', 2, 10, NULL)");
  const sql = "SELECT label, cost_usd FROM repriced('r1') ORDER BY seq";
  expect(await lines(traces, sql)).toBe(
    "plan#1 0.25\nsearch#1 null\nsearch#1 0.0004\nreport#1 0.5",
  );
});

test("conversation: what a node run's model was told and said, in order", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  const sql = "SELECT place, attempt, role, content FROM conversation('r1', 'search#1')";
  expect(await lines(traces, sql)).toMatchInlineSnapshot(`
    "1 1 user go
    2 1 assistant null
    3 2 user go
    4 2 assistant null"
  `);
});

test("last_run: the newest run of a graph", async () => {
  const traces = await traced(sourceOf([searchRun("r1"), failedRun("r2")]));
  const sql = "SELECT DISTINCT last_run(graph) = max(run_id) OVER () AS is_newest FROM runs";
  expect(await lines(traces, sql)).toBe("true");
  expect(await lines(traces, "SELECT last_run('Nobody') AS run")).toBe("null");
});

test("nodeTable: the nodes in the order in which they began", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  expect(await nodeTable(traces, "r1")).toMatchInlineSnapshot(`
    [
      {
        "attempts": 1,
        "cost_usd": 0.25,
        "dur_us": 300000,
        "failed": 0,
        "input_tokens": 100,
        "model": "rules",
        "model_calls": 1,
        "model_source": "rules",
        "node": "plan",
        "output_tokens": 20,
        "runs": 1,
        "tool_calls": 0,
      },
      {
        "attempts": 3,
        "cost_usd": null,
        "dur_us": 1900000,
        "failed": 0,
        "input_tokens": 100,
        "model": "rules",
        "model_calls": 2,
        "model_source": "rules",
        "node": "search",
        "output_tokens": 20,
        "runs": 2,
        "tool_calls": 1,
      },
      {
        "attempts": 1,
        "cost_usd": 0.5,
        "dur_us": 300000,
        "failed": 0,
        "input_tokens": 100,
        "model": "rules",
        "model_calls": 1,
        "model_source": "rules",
        "node": "report",
        "output_tokens": 20,
        "runs": 1,
        "tool_calls": 0,
      },
    ]
  `);
  expect(await nodeTable(traces, "nobody")).toEqual([]);
});

test("runList: the newest first, no more than asked", async () => {
  const traces = await traced(sourceOf([searchRun("r1"), failedRun("r2", NOON + 60_000)]));
  expect((await runList(traces, 10)).map((run) => [run.run_id, run.status, run.steps])).toEqual([
    ["r2", "failed", 0],
    ["r1", "succeeded", 4],
  ]);
  expect(await runList(traces, 1)).toHaveLength(1);
});

test("callCounts: models and tools by name", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  expect(await callCounts(traces, "r1")).toMatchInlineSnapshot(`
    [
      {
        "calls": 4,
        "dur_us": 520000,
        "errors": 1,
        "kind": "model",
        "model_source": "rules",
        "name": "rules",
      },
      {
        "calls": 1,
        "dur_us": 12500,
        "errors": 0,
        "kind": "tool",
        "model_source": null,
        "name": "docs.search",
      },
    ]
  `);
});

test("the time of a node run is that of its attempts: not of a pause, nor of the time without a process", async () => {
  const { meta, records } = searchRun("r1");
  const hour = 3_600_000;
  const control = (seq: number, at: number, verb: "pause" | "resume" | "abort") =>
    ({ seq, at, kind: "control", verb }) as const;
  const started = (seq: number, at: number, attempt: number) =>
    ({ seq, at, ...begin(1, "plan", "0", 1), attempt, reason: "resume" }) as const;
  // 100 ms to a pause, then 300 ms to the last event before a crash, then 50 ms before it is lost and given up.
  const log: readonly LogRecord[] = [
    ...records.slice(0, 2),
    control(3, NOON + 200, "pause"),
    control(4, NOON + hour, "resume"),
    started(5, NOON + hour, 2),
    ...records.slice(2, 3).map((record) => ({ ...record, seq: 6, at: NOON + hour + 300 })),
    control(7, NOON + 2 * hour, "resume"),
    started(8, NOON + 2 * hour, 3),
    ...records.slice(2, 3).map((record) => ({ ...record, seq: 9, at: NOON + 2 * hour + 50 })),
    control(10, NOON + 5 * hour, "abort"),
  ];
  const traces = await traced(sourceOf([{ meta, records: log }]));
  const sql = "SELECT status, attempts, dur_us, epoch_ms(ts)::VARCHAR AS began FROM node_runs";
  expect(await lines(traces, sql)).toBe(`aborted 3 450000 ${NOON + 100}`);
});
