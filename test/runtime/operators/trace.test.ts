/** What the trace has of operators: requests, results, both layers of what was said, and what it cost. */
import { expect, onTestFinished, test } from "vitest";
import {
  type ScriptedController,
  type ScriptedTurn,
  Session,
  scriptedController,
} from "../../../runtime/index.ts";
import { newFolder } from "../trace/store.ts";
import { oneOperator } from "./operators.ts";

/** Runs one operator to its end, and opens the trace of its session. */
async function traced(agent: ScriptedController, clauses = "") {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const graph = session.compile(oneOperator(clauses), { scope: { agent } }).Change;
  if (graph === undefined) throw new Error("no graph");
  const run = graph.run({ task: "add a line" });
  await run.output.catch(() => {});
  return { run, session, traces: await session.traces() };
}

const turn: ScriptedTurn = {
  steps: [
    { say: "I look first." },
    { garbage: "\u001b[31mwarning\u001b[0m\n" },
    { tool: "shell", input: { run: "ls" }, result: "a.ts" },
    { kind: "artifact_created", name: "a.ts", artifactKind: "file", path: "src/a.ts" },
    { kind: "heartbeat", usage: { inputTokens: 7, outputTokens: 3, costUsd: 0.25 } },
  ],
  says: "+ a line",
  usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.5 },
};

test("A90 [DB] each normalised event of an operator joins the bytes that it was made of", async () => {
  const { traces } = await traced(scriptedController([turn]));
  const rows = await traces.query(`
    WITH raw AS (
      SELECT run_id, node_run, attempt,
        (payload ->> '$.from')::INT AS start,
        (payload ->> '$.from')::INT + strlen(payload ->> '$.text') AS stop,
        payload ->> '$.text' AS bytes
      FROM event_log WHERE kind = 'controller.raw'
    )
    SELECT e.reason AS kind,
      substr(r.bytes, (e.payload ->> '$.raw[0]')::INT - r.start + 1,
        (e.payload ->> '$.raw[1]')::INT - (e.payload ->> '$.raw[0]')::INT) AS line
    FROM event_log e
    JOIN raw r ON r.run_id = e.run_id AND r.node_run = e.node_run AND r.attempt = e.attempt
      AND (e.payload ->> '$.raw[0]')::INT BETWEEN r.start AND r.stop - 1
    WHERE e.kind = 'controller.event' ORDER BY e.seq, e.part`);
  expect(rows.map(({ kind }) => kind)).toEqual([
    ...["session_started", "message_completed", "log", "tool_call", "tool_result"],
    ...["artifact_created", "heartbeat", "completed"],
  ]);
  for (const { kind, line } of rows) {
    if (kind === "log") expect(line).toBe("\u001b[31mwarning\u001b[0m\n");
    else expect(JSON.parse(line as string).kind).toBe(kind);
  }
});

test("A90 [DB] the whole raw stream of an attempt is an artifact that its result names", async () => {
  const { session, traces } = await traced(scriptedController([turn]));
  const [ended] = await traces.query("SELECT payload FROM event_log WHERE kind = 'session.ended'");
  const { traceRef } = JSON.parse(ended?.payload as string);
  const bytes = session.store.artifacts.get(traceRef.artifact);
  expect(bytes.length).toBe(traceRef.bytes);
  const lines = new TextDecoder().decode(bytes).split("\n");
  // Deltas are no events of the log, and their bytes are there.
  expect(lines.filter((line) => line.includes("message_delta"))).toHaveLength(3);
});

test("A41 the whole request of an operator is a row", async () => {
  const { traces } = await traced(scriptedController([turn]), "session reuse; limit 5m");
  const [row] = await traces.query(
    "SELECT name, model_source, payload FROM event_log WHERE kind = 'session.requested'",
  );
  expect([row?.name, row?.model_source]).toEqual(["scripted", "scripted"]);
  const { runId, nodeRunId, key, ...request } = JSON.parse(row?.payload as string);
  expect(nodeRunId.startsWith(runId)).toBe(true);
  expect(key.startsWith(nodeRunId)).toBe(true);
  expect(request).toEqual({
    verb: "begin",
    attempt: 1,
    operator: "code",
    role: "changes the files",
    instruction: "Do add a line.",
    stateView: {},
    inbox: [],
    artifacts: [],
    skills: [],
    session: "reuse",
    tools: [],
    writes: { patch: { type: "string" } },
    timeoutMs: 300_000,
  });
});

test("A42 the whole result of an operator is a row, with what it used", async () => {
  const { traces } = await traced(scriptedController([turn]));
  const [row] = await traces.query(
    "SELECT status, dur_us, payload FROM event_log WHERE kind = 'session.ended'",
  );
  const result = JSON.parse(row?.payload as string);
  expect(row?.status).toBe("success");
  expect(Number(row?.dur_us)).toBeGreaterThanOrEqual(0);
  expect(result).toMatchObject({
    status: "success",
    sessionRef: { controller: "scripted", sessionId: "scripted-1", turn: 1 },
    messages: ["I look first."],
    statePatch: {},
    artifacts: [{ name: "a.ts", kind: "file", path: "src/a.ts" }],
    handoffs: [],
    metrics: { inputTokens: 17, outputTokens: 8, costUsd: 0.75, toolCalls: 1, modelCalls: 2 },
  });
});

test("A42 a failed turn says why, in its row and in its failure", async () => {
  const fails = {
    class: "model",
    reason: "api_error",
    message: "500",
    details: { at: 3 },
  } as const;
  const { run, traces } = await traced(scriptedController([{ fails }]));
  expect(run.failure).toMatchObject({ class: "model", code: "M8504" });
  const [row] = await traces.query(
    "SELECT status, payload FROM event_log WHERE kind = 'session.ended'",
  );
  expect(row?.status).toBe("failed");
  expect(JSON.parse(row?.payload as string).error).toEqual({
    class: "model",
    code: "M8504",
    message: "`scripted` failed (api_error): 500",
    details: { at: 3 },
  });
});

test("what a strong agent used counts for its run, its node run and its tools like any other's", async () => {
  const { run, traces } = await traced(scriptedController([turn]));
  expect(run.usage).toMatchObject({ inputTokens: 17, outputTokens: 8, costUsd: 0.75 });
  const columns = "input_tokens, output_tokens, cost_usd, tool_calls, model_source";
  const totals = {
    input_tokens: 17,
    output_tokens: 8,
    cost_usd: 0.75,
    tool_calls: 1,
    model_source: "scripted",
  };
  for (const view of ["runs", "node_runs"]) {
    const [row] = await traces.query(`SELECT ${columns} FROM ${view}`);
    expect(plain(row), view).toEqual(totals);
  }
  const [call] = await traces.query("SELECT tool, status, request, result FROM tool_calls");
  expect(call).toMatchObject({ tool: "shell", status: "ok" });
});

function plain(row: object | undefined): object {
  return Object.fromEntries(
    Object.entries(row ?? {}).map(([key, value]) => [
      key,
      typeof value === "bigint" ? Number(value) : value,
    ]),
  );
}

test("A81 the keys of a graph, a run, a thread, a node run and a session meet in one row", async () => {
  const { run, traces } = await traced(scriptedController([turn]));
  const [row] = await traces.query(`
    SELECT graph, run_id, thread_id, node_run_id, payload ->> '$.sessionRef.sessionId' AS session
    FROM event_log WHERE kind = 'session.ended'`);
  expect(row).toEqual({
    graph: "Change",
    run_id: run.id,
    thread_id: run.thread,
    node_run_id: expect.stringContaining(run.id),
    session: "scripted-1",
  });
});

test("A82 select, view, assemble, invoke, normalise, emit, merge, route: in this order", async () => {
  const { traces } = await traced(scriptedController([turn]));
  const rows = await traces.query(
    "SELECT DISTINCT ON (kind) kind, seq, part FROM event_log ORDER BY kind, seq, part",
  );
  const first = rows.toSorted(
    (a, b) => Number(a.seq) - Number(b.seq) || Number(a.part) - Number(b.part),
  );
  const steps = ["attempt.started", "session.requested", "session.started", "controller.raw"];
  const ends = ["controller.event", "tool.call", "tool.result", "session.ended"];
  expect(first.map(({ kind }) => kind)).toEqual([
    ...["run.started", "route.chosen"],
    ...[...steps, ...ends, "attempt.finished", "commit", "run.finished"],
  ]);
});
