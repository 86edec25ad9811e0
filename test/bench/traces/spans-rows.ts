/** Runs as OpenTelemetry's spans, out and in; and a real LangGraph run that posts its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Session } from "../../../runtime/index.ts";
import { redactForTrace } from "../../../runtime/redaction/redact.ts";
import type { RunRows } from "../../../runtime/trace/otlp/export/to-spans.ts";
import { toOtlp } from "../../../runtime/trace/otlp/export/write-otlp.ts";
import { takenRows } from "../../../runtime/trace/otlp/import/ingest-imported.ts";
import { readOtlp } from "../../../runtime/trace/otlp/import/read-otlp.ts";
import { cleanSpan } from "../../../runtime/trace/otlp/import/redact-spans.ts";
import { generatedRuns } from "../../support/traces/fill-traces.ts";
import type { Keep, Tell } from "../suite.ts";
import { clockMs, processorMs } from "./processor-time.ts";

const SPANS = 10_000;
const RUNS = 7;

export async function spansRows(tell: Tell, keep: Keep): Promise<void> {
  tell("bench: spans");
  const { written, read } = await thereAndBack();
  const shared = { unit: "µs of processor time a span", goal: 10, goalOn: "ours" } as const;
  keep({ ...shared, name: "spans, rows to OTLP", ours: written });
  keep({ ...shared, name: "spans, OTLP to rows", ours: read });
  const asked = await langGraphAsked();
  keep({
    name: "LangGraph run, posted to answered",
    unit: "ms",
    goal: 250,
    goalOn: "ours",
    ours: asked,
  });
}

/** With all that was said in them, without reading them from the database or writing them to it. */
async function thereAndBack() {
  const runs = someRuns();
  const written: number[] = [];
  const read: number[] = [];
  for (let round = 0; round < RUNS; round += 1) {
    const texts: (readonly [string, string])[] = [];
    const outMs = await processorMs(() => {
      for (const run of runs)
        for (const body of toOtlp(run, { content: true }))
          texts.push([run.run.run_id, JSON.stringify(body)]);
    });
    let spans = 0;
    const inMs = await processorMs(() => {
      for (const [runId, text] of texts) {
        const taken = readOtlp(JSON.parse(text)).spans.map((span) =>
          cleanSpan(span, redactForTrace),
        );
        takenRows(runId, taken);
        spans += taken.length;
      }
    });
    written.push((outMs * 1_000) / spans);
    read.push((inMs * 1_000) / spans);
  }
  return { written, read };
}

function someRuns(): RunRows[] {
  const runs: RunRows[] = [];
  let events = 0;
  for (const { run, events: rows } of generatedRuns(1)) {
    const { run_id, thread_id, graph } = run;
    runs.push({
      run: { ...run, run_id: run_id ?? "", thread_id: thread_id ?? "", graph: graph ?? "" },
      events: rows,
      graphs: [],
      scores: [],
    });
    events += rows.length;
    if (events >= SPANS * 2) break;
  }
  return runs;
}

/** What it posted is there in SQL; how long the first question took that brings it into the trace. */
async function langGraphAsked(): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const home = mkdtempSync(join(tmpdir(), "madrigal-bench-"));
    const session = new Session({ env: { MADRIGAL_HOME: home } });
    const endpoint = await session.spans.listen();
    await session.traces();
    const agent = fileURLToPath(new URL("langgraph-agent.js", import.meta.url));
    const child = spawn(process.execPath, [agent, `${endpoint.url}/v1/traces`], {
      stdio: "ignore",
    });
    await once(child, "exit");
    times.push(await clockMs(() => assertThere(session)));
    await endpoint.close();
    await session.close();
    rmSync(home, { recursive: true });
  }
  return times;
}

async function assertThere(session: Session): Promise<void> {
  const traces = await session.traces();
  const [run] = await traces.query("SELECT graph, model_calls, tool_calls FROM runs");
  if (run?.graph !== "Weather" || run.model_calls !== 3 || run.tool_calls !== 2) {
    throw new Error(`the LangGraph run is not there as it was: ${JSON.stringify(run)}`);
  }
}
