/**
 * Spans of other tools. `langgraph.jsonl` is what a real LangGraph JS 1.7 run posted, instrumented with the public OpenInference package:
 * `node test/bench/traces/record-langgraph.js` made it, and `npm run bench -- traces` runs it anew.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { Session } from "../../../../runtime/index.ts";
import { lines, newFolder } from "../store.ts";

const bodies = readFileSync(fileURLToPath(new URL("langgraph.jsonl", import.meta.url)), "utf8")
  .trim()
  .split("\n");

function newSession(env: Record<string, string> = {}): Session {
  const session = new Session({ env: { MADRIGAL_HOME: newFolder(), ...env } });
  onTestFinished(() => session.close());
  return session;
}

async function post(url: string, body: string, headers: Record<string, string> = {}) {
  const type = { "content-type": "application/json", ...headers };
  const response = await fetch(`${url}/v1/traces`, { method: "POST", body, headers: type });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

test("W21 a LangGraph run, instrumented with OpenInference, posts to our endpoint and gets the same SQL", async () => {
  const session = newSession();
  const endpoint = await session.spans.listen();
  onTestFinished(() => endpoint.close());
  // The root comes last, and a batch may come twice.
  for (const body of [...bodies, bodies[0] ?? ""])
    expect(await post(endpoint.url, body)).toEqual({ status: 200, answer: {} });
  const traces = await session.traces();
  expect(traces.warnings).toEqual([]);
  expect(
    await lines(
      traces,
      "SELECT graph, thread_id, status, steps, model, model_source, model_calls, tool_calls, input_tokens, output_tokens, cost_usd, origin FROM runs",
    ),
  ).toMatchInlineSnapshot(
    `"Weather thread-7 succeeded 6 scripted-1 imported 3 2 142 19 null otlp:langgraph-weather"`,
  );
  expect(
    await lines(
      traces,
      "SELECT label, step, status, model_calls, tool_calls, input_tokens FROM node_runs ORDER BY node_run",
    ),
  ).toMatchInlineSnapshot(`
    "__start__#1 1 succeeded 0 0 0
    agent#1 2 succeeded 1 0 41
    tools#1 3 succeeded 0 1 0
    agent#2 4 succeeded 1 0 41
    tools#2 5 succeeded 0 1 0
    agent#3 6 succeeded 1 0 60"
  `);
  expect(
    await lines(
      traces,
      "SELECT label, tool, status, request->>'$.input', coalesce(result->>'$.message', result->>'$.output.kwargs.content') FROM tool_calls ORDER BY seq",
    ),
  ).toMatchInlineSnapshot(`
    "tools#1 weather ok Oslo 18 degrees in Oslo
    tools#2 station error Oslo the station is closed"
  `);
  const run = "(SELECT run_id FROM runs)";
  expect(
    await lines(
      traces,
      `SELECT c.role, c.content FROM node_runs n, LATERAL (FROM conversation(n.run_id, n.label)) c WHERE n.label = 'agent#3' ORDER BY c.place`,
    ),
  ).toMatchInlineSnapshot(`
    "user Is it warm in Oslo?
    assistant 
    tool 18 degrees in Oslo
    assistant 
    tool Error: the station is closed
     Please fix your mistakes.
    assistant 18 degrees"
  `);
  expect(
    await lines(traces, `SELECT place, label FROM critical_path(${run})`),
  ).toMatchInlineSnapshot(`
    "1 __start__#1
    2 agent#1
    3 tools#1
    4 agent#2
    5 tools#2
    6 agent#3"
  `);
  expect(
    await lines(traces, `SELECT kind, count(*) FROM run_gantt(${run}) GROUP BY kind ORDER BY kind`),
  ).toMatchInlineSnapshot(`
    "attempt 6
    function 3
    model 3
    run 1
    tool 2"
  `);
});
