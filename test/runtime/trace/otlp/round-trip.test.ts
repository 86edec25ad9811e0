/** What one Madrigal exports, another one, or the same, imports: nothing is lost. */
import { expect, onTestFinished, test } from "vitest";
import { redactForTrace } from "../../../../runtime/redaction/redact.ts";
import { readRun } from "../../../../runtime/trace/otlp/export/read-run.ts";
import { toOtlp } from "../../../../runtime/trace/otlp/export/write-otlp.ts";
import { ImportedSpanFiles } from "../../../../runtime/trace/otlp/import/imported-span-files.ts";
import { readOtlp } from "../../../../runtime/trace/otlp/import/read-otlp.ts";
import { cleanSpan } from "../../../../runtime/trace/otlp/import/redact-spans.ts";
import { openTraces, type Row, type TraceStore } from "../../../../runtime/trace/trace-store.ts";
import { views } from "../../../../runtime/trace/views/views.ts";
import { programOf, schedulesOf } from "../../laws/schedules.ts";
import { failedRun, NOON, type SampleRun, searchRun, sourceOf, tellingRun } from "../sample.ts";
import { newFolder, traced } from "../store.ts";
import { otlpFaults } from "./otlp-shape.ts";

const NO_LOGS = sourceOf([]);

/** The traces of somebody who has got these runs as spans. */
async function imported(
  from: TraceStore,
  runIds: readonly string[],
  content: boolean,
  older: (text: string) => string = (text) => text,
) {
  const folder = newFolder();
  const files = new ImportedSpanFiles(folder);
  for (const runId of runIds) {
    const rows = await readRun(from, runId);
    if (rows === undefined) throw new Error(`no run ${runId}`);
    for (const body of toOtlp(rows, { content })) {
      expect(otlpFaults(body)).toEqual([]);
      const { spans, rejected } = readOtlp(JSON.parse(older(JSON.stringify(body))));
      expect(rejected).toBe(0);
      files.add(spans.map((span) => cleanSpan(span, redactForTrace)));
    }
  }
  const traces = await openTraces(folder, "kernel");
  onTestFinished(() => traces.close());
  await traces.ingest(NO_LOGS);
  expect(traces.warnings).toEqual([]);
  return traces;
}

/** Every row of every view, but for what says where a run comes from. */
async function allViews(traces: TraceStore): Promise<Record<string, readonly Row[]>> {
  const all: Record<string, readonly Row[]> = {};
  for (const view of Object.keys(views)) {
    const rows = await traces.query(`FROM ${view} ORDER BY ALL`);
    all[view] = rows.map(({ origin: _, ...row }) => row);
  }
  return all;
}

/** Runs of random programs, with crashes, people who rewind, questions, called graphs. */
function generated(programs: number): SampleRun[] {
  const runs: SampleRun[] = [];
  for (let seed = 1; seed <= programs; seed += 1) {
    for (const { ir, ran } of schedulesOf(programOf(seed), seed)) {
      const runId = `01900000-0000-7000-8000-${String(runs.length).padStart(12, "0")}`;
      const { name: graph, hash: graphHash } = ir;
      const meta = {
        runId,
        threadId: `thread-${seed}`,
        graph,
        graphHash,
        ir,
        models: { m: "rules" },
      };
      runs.push({ meta, records: ran.records });
    }
  }
  return runs;
}

test("W21 own export, then import: every column of every view is the same, for runs of random programs", async () => {
  const runs = [
    searchRun("r1"),
    failedRun("r2", NOON + 700),
    tellingRun("r3", NOON + 900),
    ...generated(2),
  ];
  const ids = runs.map(({ meta }) => meta.runId);
  const traces = await traced(sourceOf(runs));
  expect(traces.warnings).toEqual([]);
  const before = await allViews(traces);
  const after = await allViews(await imported(traces, ids, true));
  expect(before.runs).toHaveLength(runs.length);
  for (const view of Object.keys(views)) expect(after[view], view).toEqual(before[view]);
});

test("an export of a version that had no columns for a message's ends still says who told whom", async () => {
  const traces = await traced(sourceOf([tellingRun("r3", NOON)]));
  const older = (text: string) => text.replaceAll(/madrigal\.(sender|receiver)"/g, 'elsewhere.$1"');
  const before = await traces.query("FROM messages ORDER BY ALL");
  expect(before.map(({ sender }) => sender)).toEqual(["plan", "search"]);
  const after = await imported(traces, ["r3"], true, older);
  expect(await after.query("FROM messages ORDER BY ALL")).toEqual(before);
});

test("a span is inside the one around it, and no two have one id", async () => {
  const runs = [searchRun("r1"), tellingRun("r2"), ...generated(1)];
  const traces = await traced(sourceOf(runs));
  for (const { meta } of runs) {
    const rows = await readRun(traces, meta.runId);
    const spans = toOtlp(rows ?? expect.fail("nothing traced")).flatMap((body) =>
      body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((group) => group.spans)),
    );
    const ids = new Set(spans.map(({ spanId }) => spanId));
    expect(ids.size).toBe(spans.length);
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(roots.map(({ name }) => name)).toEqual([`invoke_workflow ${meta.graph}`]);
    expect(spans.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  }
});

test("without --content no span tells what was said, and everything else is there", async () => {
  const runs = [searchRun("r1"), failedRun("r2", NOON + 700), tellingRun("r3", NOON + 900)];
  const traces = await traced(sourceOf(runs));
  const rows = await readRun(traces, "r1");
  const written = JSON.stringify(toOtlp(rows ?? expect.fail("nothing traced")));
  for (const said of ["why?", "because", "hit 1", "found a", '"go"'])
    expect(written).not.toContain(said);
  const bare = await imported(traces, ["r1", "r2", "r3"], false);
  for (const sql of [
    "SELECT * EXCLUDE (payload, patches) FROM events ORDER BY ALL",
    "SELECT * EXCLUDE (input, output, error_message, origin) FROM runs ORDER BY ALL",
    "FROM node_runs ORDER BY ALL",
    "FROM spans ORDER BY ALL",
  ]) {
    expect(await bare.query(sql)).toEqual(await traces.query(sql));
  }
});
