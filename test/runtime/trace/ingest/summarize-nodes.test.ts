/** The table of a run's nodes from its log is the one that the trace gives by SQL. */
import { expect, onTestFinished, test } from "vitest";
import { Session, scripted } from "../../../../runtime/index.ts";
import { summarizeNodes } from "../../../../runtime/trace/ingest/summarize-nodes.ts";
import { nodeTable } from "../../../../runtime/trace/sql/queries.ts";
import type { TraceSource } from "../../../../runtime/trace/trace-store.ts";
import { programOf, schedulesOf } from "../../laws/schedules.ts";
import { failedRun, metaOf, type SampleRun, searchRun, sourceOf } from "../sample.ts";
import { newFolder, traced } from "../store.ts";

/** Compares both tables of each run of a source. */
async function expectSame(source: TraceSource): Promise<number> {
  const traces = await traced(source);
  let nodes = 0;
  for (const { runId } of await source.positions()) {
    const records = await source.readAfter(runId, -1);
    const fromLog = summarizeNodes(await source.meta(runId), records);
    expect(fromLog, runId).toEqual(await nodeTable(traces, runId));
    nodes += fromLog.length;
  }
  return nodes;
}

/** An attempt that was under way then ends twice. */
function goesOnAfterAbort({ records }: SampleRun): boolean {
  const abort = records.findIndex((one) => one.kind === "control" && one.verb === "abort");
  return abort >= 0 && records.slice(abort).some(({ kind }) => kind === "attempt");
}

test("of calls with and without a price, retries and a failure", async () => {
  const runs = [searchRun("run-1"), failedRun("run-2")];
  expect(await expectSame(sourceOf(runs))).toBeGreaterThan(3);
});

test("of runs that are not finished, at each of their records", async () => {
  const { records } = searchRun("run");
  const parts = records.map((_, at): SampleRun => {
    const runId = `run-${at}`;
    return { meta: metaOf(runId), records: records.slice(0, at + 1) };
  });
  expect(await expectSame(sourceOf(parts))).toBeGreaterThan(20);
});

test("of random programs with crashes, rewinds, retries and aborts", async () => {
  const runs: SampleRun[] = [];
  for (let seed = 1; seed <= 12; seed += 1) {
    for (const { ir, ran, kind, seed: schedule } of schedulesOf(programOf(seed), seed)) {
      const meta = { ...metaOf(`${kind} ${schedule}`), graph: ir.name, graphHash: ir.hash, ir };
      runs.push({ meta, records: ran.records });
    }
  }
  expect(await expectSame(sourceOf(runs))).toBeGreaterThan(300);
  expect(runs.some(goesOnAfterAbort)).toBe(true);
});

test("of a rewind and a fork, which pay for no call twice", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const graph = session.compile(`model m = "scripted"
graph Notes() returns notes {
  state { notes: string[] = [] via append }
  agent first { model m; prompt \`First\`; writes notes }
  agent second { model m; prompt \`Second\`; writes notes }
  start -> first -> second -> end
}`).Notes;
  const models = {
    m: scripted({ first: ["1"], second: ["2", "2 again", "2 of the fork"] }),
  };
  const run = graph?.debug({}, { models });
  if (run === undefined) throw new Error("no graph");
  await run.continue();
  await run.rewind(1);
  await run.continue();
  await run.fork(1).output;
  expect(await expectSame(session.store)).toBe(4);
});
