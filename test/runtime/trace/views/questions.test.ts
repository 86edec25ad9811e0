/** Questions about one run or two: who wrote a value, where runs parted, what they cost. */
import { expect, test } from "vitest";
import type { LogRecord } from "../../../../runtime/records/records.ts";
import { searchRun, sourceOf } from "../sample.ts";
import { lines, traced } from "../store.ts";

test("blame names who wrote a part of the state, newest first", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  const blamed = (path: string) =>
    lines(traces, `SELECT step, label, op, path FROM blame('r1', '${path}')`);
  expect(await blamed("findings")).toMatchInlineSnapshot(`
    "4 null remove findings/1
    3 search#1 add findings/1
    2 search#2 add findings/0
    0 null add findings"
  `);
  expect(await blamed("findings/0")).toMatchInlineSnapshot(`
    "2 search#2 add findings/0
    0 null add findings"
  `);
  expect(await blamed("no/such")).toBe("");
});

test("two runs part at the first step that wrote something else", async () => {
  const one = searchRun("r1");
  const isReport = (record: LogRecord) => record.kind === "commit" && record.node === "report";
  const records = searchRun("r2").records.map((record) =>
    isReport(record) ? { ...record, output: "otherwise" } : record,
  );
  const traces = await traced(
    sourceOf([one, { ...searchRun("r2"), records: records as LogRecord[] }]),
  );
  expect(await lines(traces, "FROM first_divergence('r1', 'r2')")).toBe(
    "2 report#1 4 4 another result because otherwise",
  );
  expect(await traces.query("FROM divergences('r1', 'r1')")).toEqual([]);
});

test("a run that has less than another says what is missing", async () => {
  const source = sourceOf([searchRun("r1"), searchRun("r2")]);
  source.show("r2", 12);
  const traces = await traced(source);
  expect(await lines(traces, "SELECT label, what FROM divergences('r1', 'r2')")).toBe(
    "search#2 only in a\nsearch#1 only in a\nreport#1 only in a",
  );
});

test("costs by each name add up to the same, and another name says what there is", async () => {
  const traces = await traced(sourceOf([searchRun("r1"), searchRun("r2")]));
  for (const what of ["node", "model", "model_source", "graph", "thread", "run", "day", "kind"]) {
    const sums = `SELECT sum(input_tokens) AS tokens, sum(calls) AS calls, sum(unpriced) AS unpriced
      FROM cost_by('${what}')`;
    expect(await lines(traces, sums), what).toBe("600 6 2");
  }
  await expect(traces.query("FROM cost_by('colour')")).rejects.toThrow(/cost_by: node, model/);
});

test("the summary of a run is one row", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  const sql = `SELECT status, steps, node_runs, attempts, retries, failed_calls, parallel_most, model_calls,
    tool_calls, input_tokens, cost_usd FROM run_summary('r1')`;
  expect(await lines(traces, sql)).toMatchInlineSnapshot(`"succeeded 4 4 5 1 1 2 4 1 300 null"`);
});
