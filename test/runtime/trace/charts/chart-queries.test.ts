/** The questions behind the charts of a run, on runs that the engine made. */
import { expect, onTestFinished, test } from "vitest";
import { Session, scripted } from "../../../../runtime/index.ts";
import { runsFacts } from "../../../../runtime/trace/charts/chart-runs.ts";
import { stateSizes } from "../../../../runtime/trace/charts/state-sizes.ts";
import {
  type WaterfallBar,
  waterfallBars,
} from "../../../../runtime/trace/charts/timeline-queries.ts";
import { latencyCurves } from "../../../../runtime/trace/charts/usage-queries.ts";
import { nodeTable, runFacts, tokensByNode } from "../../../../runtime/trace/sql/queries.ts";
import { failedRun, searchRun, sourceOf } from "../sample.ts";
import { newFolder, traced } from "../store.ts";

test("when each node run was under way, in the order of their beginnings, and what the end waited for", async () => {
  const traces = await traced(sourceOf([searchRun("r1"), failedRun("r2")]));
  expect(barsOf(await waterfallBars(traces, "r1"))).toMatchInlineSnapshot(`
    [
      "plan#1 succeeded 0.1 0.4 critical",
      "plan#1 model call 0.21 0.3",
      "search#1 succeeded 0.5 1.6 critical",
      "search#1 failed call 0.75 1",
      "search#1 model call 1.31 1.4",
      "search#2 succeeded 0.6 1.5",
      "search#2 tool call 0.8875 0.9",
      "report#1 succeeded 1.7 2 critical",
      "report#1 model call 1.81 1.9",
    ]
  `);
  expect(await waterfallBars(traces, "none")).toEqual([]);
});

test("a node run that is under way reaches to the last event", async () => {
  const source = sourceOf([searchRun("r1")]);
  source.show("r1", 12);
  const bars = await waterfallBars(await traced(source), "r1");
  expect(barsOf(bars)).toMatchInlineSnapshot(`
    [
      "plan#1 succeeded 0.1 0.4 critical",
      "plan#1 model call 0.21 0.3",
      "search#1 ready 0.5 1.1",
      "search#1 failed call 0.75 1",
      "search#2 running 0.6 1.1",
      "search#2 tool call 0.8875 0.9",
    ]
  `);
});

function barsOf(bars: readonly WaterfallBar[]): readonly string[] {
  return bars.map(
    ({ label, what, begin_s, end_s, critical }) =>
      `${label} ${what} ${begin_s} ${end_s}${critical ? " critical" : ""}`,
  );
}

test("tokens by node add up to those of the node table", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  const rows = await tokensByNode(traces, "r1");
  expect(
    rows.map(({ node, direction, tokens }) => `${node} ${direction} ${tokens}`),
  ).toMatchInlineSnapshot(`
    [
      "plan input 100",
      "plan output 20",
      "search input 100",
      "search output 20",
      "report input 100",
      "report output 20",
    ]
  `);
  const sum = rows.reduce((total, { tokens }) => total + tokens, 0);
  const table = await nodeTable(traces, "r1");
  expect(sum).toBe(
    table.reduce((total, node) => total + node.input_tokens + node.output_tokens, 0),
  );
});

test("the facts of a run, and of none", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  expect(await runFacts(traces, "r1")).toEqual({
    run_id: "r1",
    graph: "DeepSearch",
    status: "succeeded",
    model_source: "rules",
  });
  expect(await runFacts(traces, "none")).toBeUndefined();
});

test("of few attempts a curve of latencies has a point each, at the share that took no longer", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  const points = await latencyCurves(traces, { of: "node", runs: [] });
  const rows = await traces.query(
    "SELECT node, dur_us FROM events WHERE kind = 'attempt.finished' AND dur_us IS NOT NULL",
  );
  for (const [name, attempts] of Map.groupBy(rows, ({ node }) => String(node))) {
    const times = attempts.map(({ dur_us }) => Number(dur_us) / 1e6).sort((a, b) => a - b);
    const expected = times.map((time, index) => [(index + 1) / times.length, time]);
    const curve = points.filter((point) => point.name === name);
    expect(curve.map(({ share, seconds }) => [share, seconds])).toEqual([
      [0, times[0]],
      ...expected.map(([share = 0, time]) => [Math.floor(share * 200) / 200, time]),
    ]);
  }
});

test("the facts of several runs: their graphs, and everybody who answered for a model", async () => {
  const other = searchRun("r3");
  const records = JSON.parse(
    JSON.stringify(other.records).replaceAll('"modelSource":"rules"', '"modelSource":"live"'),
  );
  const runs = [searchRun("r1"), failedRun("r2"), { ...other, records }];
  const traces = await traced(sourceOf(runs));
  expect(await runsFacts(traces, [])).toEqual({
    runs: 3,
    graphs: ["DeepSearch"],
    sources: ["live", "rules"],
  });
  expect((await runsFacts(traces, ["r1", "r2"])).sources).toEqual(["rules"]);
  expect(await runsFacts(traces, ["none"])).toEqual({ runs: 0, graphs: [], sources: [] });
});

const MANY_KINDS = `model m = "scripted"
type Found = { name: string, n: int }
graph Kinds(question: string) returns notes {
  state {
    tasks: string[] = []
    notes: string[] = [] via append
    asked: int = 0
    maybe: string | null = null
    by: Record<string, string> = {} via merge
    whole: Record<string, Json> = {}
    found: Found[] = [] via union(x => x.name)
  }
  agent plan { model m; prompt \`Split \${question}\`; writes tasks }
  run note(task: string) = noted(task) writes notes
  run tag(task: string) = tagged(task) writes by
  run find(task: string) = found(task) writes found
  run keep(task: string) = kept(task) writes maybe
  run hold = held(tasks) writes whole
  start -> plan set asked = 1
  plan -> each task of tasks { note(task) -> tag(task) -> find(task) } -> hold -> end
}`;

test("the size of each field after each step is that of its JSON", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const scope = {
    noted: (task: string) => [`note "${task}" 😀`],
    tagged: (task: string) => ({ [`k"${task}`]: task.repeat(3), same: task }),
    found: (task: string) => [
      { name: "same", n: task.length * 1000 },
      { name: task, n: 1 },
    ],
    held: () => ({ 'a"b': 1, "c.d": null, é: [1, { x: [] }, null] }),
  };
  const text = MANY_KINDS.replace("  run keep(task: string) = kept(task) writes maybe\n", "");
  const graph = session.compile(text, { scope }).Kinds;
  if (graph === undefined) throw new Error("no graph");
  const run = graph.run(
    { question: "why" },
    { models: { m: scripted({ plan: [["a", "bü", "ccc"]] }) } },
  );
  await run.output;
  const traces = await session.traces();
  const rows = await stateSizes(traces, run.id);
  for (const { step, node, state } of run.steps) {
    const expected = Object.entries(state).map(([field, value]) => ({
      step,
      node,
      field,
      bytes: Buffer.byteLength(JSON.stringify(value)),
    }));
    const actual = rows.filter((row) => row.step === step);
    expect(actual).toEqual(expected.sort((a, b) => (a.field < b.field ? -1 : 1)));
    const fields = await traces.query("FROM state_fields($1, $2)", [run.id, step]);
    expect(Object.fromEntries(fields.map(({ field, value }) => [field, value]))).toEqual(state);
  }
  expect(rows.filter(({ step }) => step === 0).map(({ field }) => field)).toContain("asked");
});
