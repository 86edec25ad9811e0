import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writableColumns } from "../../../../runtime/store/database/writable-columns.ts";
import { OFFERED, PARSED } from "../../../../runtime/trace/agent-sql/one-select.ts";
import {
  SCHEMA_VERSION,
  SET_SCHEMA_VERSION,
  TABLE_COUNT,
} from "../../../../runtime/trace/database/database.ts";
import { OLD_COLUMNS } from "../../../../runtime/trace/database/trace-files.ts";
import { DATABASE_NAME } from "../../../../runtime/trace/database/writable-copy.ts";
import {
  DROP_BLOB_ROWS,
  DROP_EVENT_ROWS,
  DROP_QUARANTINED,
  DROP_RUN_ROW,
  DROP_RUN_ROWS,
  MARK_STALE,
} from "../../../../runtime/trace/ingest/batch.ts";
import { KNOWN_GRAPHS, POSITIONS } from "../../../../runtime/trace/ingest/ingest.ts";
import type { tableMacros } from "../../../../runtime/trace/macros/macros.ts";
import {
  derivedTables,
  lastingTables,
  writableTables,
} from "../../../../runtime/trace/schema/tables.ts";
import { ALL_RUNS, ENDED_RUNS } from "../../../../runtime/trace/shared/export-runs.ts";
import { OLD_RUNS } from "../../../../runtime/trace/shared/prune.ts";
import { OWN_RUNS } from "../../../../runtime/trace/shared/shared-traces.ts";
import { CALL_COUNTS, NODE_TABLE, RUN_LIST } from "../../../../runtime/trace/sql/queries.ts";
import {
  openTraces,
  type QueryParams,
  type TraceStore,
} from "../../../../runtime/trace/trace-store.ts";
import { views } from "../../../../runtime/trace/views/views.ts";
import { failedRun, searchRun, sourceOf, tellingRun } from "../sample.ts";

let traces: TraceStore;

beforeAll(async () => {
  traces = await openTraces(join("/dev/null", "traces"), "kernel");
  await traces.ingest(sourceOf([searchRun("r1"), failedRun("r2"), tellingRun("r3")]));
});

afterAll(() => traces.close());

test.each(Object.keys(views))("view %s answers", async (view) => {
  await expect(traces.query(`FROM ${view}`)).resolves.toBeInstanceOf(Array);
});

const macroCalls: Record<keyof typeof tableMacros, string> = {
  run_gantt: "run_gantt('r1')",
  critical_path: "critical_path('r1')",
  parallelism: "parallelism('r1')",
  latency_by: "latency_by('node')",
  state_at: "state_at('r1', 2)",
  compare_runs: "compare_runs('r1', 'r2')",
  repriced: "repriced('r1')",
  conversation: "conversation('r1', 'search#1')",
  message_matrix: "message_matrix('r3')",
  message_lineage: "message_lineage('r3', 'm2.1')",
  state_patches: "state_patches('r1', 9)",
  state_fields: "state_fields('r1', 2)",
  blame: "blame('r1', 'tasks')",
  task_status: "task_status('r1', 2)",
  run_summary: "run_summary('r1')",
  divergences: "divergences('r1', 'r3')",
  first_divergence: "first_divergence('r1', 'r3')",
  cost_by: "cost_by('model')",
  last_run: "(SELECT last_run(graph) AS run FROM runs)",
  blob: "(SELECT blob('of none') AS data)",
};

test.each(Object.values(macroCalls))("macro %s answers with rows", async (call) => {
  expect(await traces.query(`FROM ${call}`)).not.toEqual([]);
});

const statements: readonly (readonly [string, string, QueryParams])[] = [
  ["TABLE_COUNT", TABLE_COUNT, []],
  ["SCHEMA_VERSION", SCHEMA_VERSION, []],
  ["SET_SCHEMA_VERSION", SET_SCHEMA_VERSION, ["x"]],
  ["POSITIONS", POSITIONS, []],
  ["KNOWN_GRAPHS", KNOWN_GRAPHS, []],
  ["DROP_RUN_ROW", DROP_RUN_ROW, ["r1"]],
  ["DROP_RUN_ROWS", DROP_RUN_ROWS, ['["r1"]']],
  ["DROP_QUARANTINED", DROP_QUARANTINED, ['["r1"]']],
  ["OLD_COLUMNS", OLD_COLUMNS, []],
  ["DROP_EVENT_ROWS", DROP_EVENT_ROWS, ['["r1"]']],
  ["DROP_BLOB_ROWS", DROP_BLOB_ROWS, ['["r1"]']],
  ["MARK_STALE", MARK_STALE, ["r1", 1, 5, "[1,2]"]],
  ["NODE_TABLE", NODE_TABLE, { run: "r1" }],
  ["RUN_LIST", RUN_LIST, { limit: 5 }],
  ["CALL_COUNTS", CALL_COUNTS, { run: "r1" }],
  ["ENDED_RUNS", ENDED_RUNS, []],
  ["ALL_RUNS", ALL_RUNS, []],
  ["PARSED", PARSED, ["SELECT 1"]],
  ["OFFERED", OFFERED, []],
  ["OLD_RUNS", OLD_RUNS, { before: 0, keep: 1 }],
  ["OWN_RUNS", OWN_RUNS, []],
  ["DATABASE_NAME", DATABASE_NAME, []],
];

test.each(statements)("statement %s runs on the real schema", async (_, sql, params) => {
  // Some of them write.
  await traces.query("BEGIN");
  await expect(traces.query(sql, params)).resolves.toBeInstanceOf(Array);
  await traces.query("ROLLBACK");
});

test("a table has the columns that its rows have, in their order", async () => {
  for (const { name, columns } of [...derivedTables, ...lastingTables]) {
    expect(await columnsOf(name)).toEqual(Object.keys(columns));
  }
});

test("the tables that people write have the columns of those in the store of runs", () => {
  const columns = writableTables.map(({ name, columns }) => [name, Object.keys(columns)]);
  expect(Object.fromEntries(columns)).toEqual(writableColumns);
});

async function columnsOf(relation: string): Promise<unknown[]> {
  const rows = await traces.query(`DESCRIBE ${relation}`);
  return rows.map((row) => row.column_name);
}

const promised =
  `run_id thread_id step node node_run_id attempt ts dur_us model model_source input_tokens output_tokens
  cost_usd`.split(/\s+/);
const of = {
  node: ["step", "node", "node_run_id", "attempt"],
  source: ["model", "model_source"],
  model: ["model", "model_source", "input_tokens", "output_tokens", "cost_usd"],
};

/** The columns that are NULL in every row of a view; those of `events` depend on its kind. */
const neverThere = {
  runs: of.node,
  node_runs: [],
  llm_calls: [],
  tool_calls: of.source,
  messages: ["dur_us", ...of.model],
  state_changes: ["dur_us", ...of.model],
  steps: of.model,
  artifacts: ["dur_us", ...of.model],
  interrupts: of.model,
  events: [],
};

test.each(Object.entries(neverThere))(
  "contract: SQL view %s has the columns promised, NULL where they do not apply",
  async (view, absent) => {
    expect(await columnsOf(view)).toEqual(expect.arrayContaining(promised));
    const counts = ["NULL", ...absent].map((column) => `count(${column})`).join(" + ");
    expect(await traces.query(`SELECT ${counts} AS filled FROM ${view}`)).toEqual([{ filled: 0 }]);
  },
);

test("contract: an unknown price is NULL, never 0", async () => {
  const cost = async (sql: string) => (await traces.query(sql)).map((row) => row.cost_usd);
  // The second call of search#1 has tokens and no price; search#2 calls no model, which costs nothing.
  expect(await cost("SELECT cost_usd FROM llm_calls WHERE run_id = 'r1' ORDER BY seq")).toEqual([
    0.25,
    null,
    null,
    0.5,
  ]);
  expect(
    await cost("SELECT cost_usd FROM node_runs WHERE run_id = 'r1' ORDER BY node_run"),
  ).toEqual([0.25, null, 0, 0.5]);
  expect(await cost("SELECT cost_usd FROM runs WHERE run_id <> 'r3' ORDER BY run_id")).toEqual([
    null,
    0,
  ]);
  expect(await cost(NODE_TABLE.replace("$run", "'r1'"))).toEqual([0.25, null, 0.5]);
});
