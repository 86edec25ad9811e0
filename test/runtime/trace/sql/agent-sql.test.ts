/** SQL that agents ask: what they may see, and all that they may not. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Session, scripted } from "../../../../runtime/index.ts";
import { openForAgent } from "../../../../runtime/trace/agent-sql/agent-database.ts";
import { askAgentProcess } from "../../../../runtime/trace/agent-sql/agent-process.ts";
import { assertOneSelect } from "../../../../runtime/trace/agent-sql/one-select.ts";
import { openDatabase, type TraceDatabase } from "../../../../runtime/trace/database/database.ts";
import { copyRuns } from "../../../../runtime/trace/shared/parquet-sql.ts";
import { openTraces, SqlError, type TraceStore } from "../../../../runtime/trace/trace-store.ts";
import { failedRun, searchRun, sourceOf } from "../sample.ts";
import { newFolder } from "../store.ts";

let traces: TraceStore;
let database: TraceDatabase;
let agents: Awaited<ReturnType<typeof openForAgent>>;
const folder = mkdtempSync(join(tmpdir(), "madrigal-agents-"));

beforeAll(async () => {
  const other = await openTraces(folder, "other");
  await other.ingest(sourceOf([failedRun("ended")]));
  await other.close();
  traces = await openTraces(folder, "kernel");
  const source = sourceOf([searchRun("asks"), searchRun("open")]);
  source.show("asks", 10);
  source.show("open", 10);
  await traces.ingest(source);
  writeFileSync(join(folder, "secret.csv"), "secret\nhunter2\n");
  mkdirSync(join(folder, "empty"));
  const opened = await openDatabase(join(folder, "own.duckdb"));
  if ("kind" in opened) throw new Error(opened.message);
  database = opened;
  const own = join(folder, "own.parquet");
  await database.writer.run(copyRuns(["none"], own, ""));
  const paths = [join(folder, "runs", "ended.parquet")];
  agents = await openForAgent(database.duckdb, own, [{ paths, without: [] }]);
});

afterAll(async () => {
  agents.close();
  database.close();
  await traces.close();
  rmSync(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;

async function asked(sql: string): Promise<unknown> {
  try {
    return (await traces.answer({ runId: "asks", sql, signal })).rows;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return error.code;
  }
}

test("an agent sees the runs that have ended and its own, by the views and macros of the trace", async () => {
  expect(await asked("SELECT run_id, status FROM runs ORDER BY run_id")).toEqual([
    { run_id: "asks", status: "running" },
    { run_id: "ended", status: "failed" },
  ]);
  expect(await asked("FROM compare_runs('asks', 'ended') SELECT node, attempts_b")).toContainEqual({
    node: "plan",
    attempts_b: 1,
  });
  const counted =
    "WITH e AS (FROM events) SELECT run_id, count(*) AS n FROM e GROUP BY ALL ORDER BY 1";
  expect(await asked(counted)).toHaveLength(2);
  expect(await asked("DESCRIBE SELECT node FROM node_runs")).toMatchObject([
    { column_name: "node" },
  ]);
});

const attacks = [
  // Files.
  "SELECT * FROM read_csv('FOLDER/secret.csv')",
  "SELECT * FROM 'FOLDER/secret.csv'",
  "SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM read_blob('/etc/passwd')",
  "SELECT * FROM read_json('FOLDER/secret.csv')",
  "SELECT * FROM read_parquet('FOLDER/runs/ended.parquet')",
  "SELECT * FROM parquet_scan('FOLDER/runs/ended.parquet')",
  "SELECT * FROM parquet_kv_metadata('FOLDER/runs/*.parquet')",
  "SELECT * FROM glob('FOLDER/*')",
  "SELECT * FROM sniff_csv('FOLDER/secret.csv')",
  "WITH runs AS (FROM read_csv('FOLDER/secret.csv')) FROM runs",
  "SELECT (SELECT secret FROM read_csv('FOLDER/secret.csv')) FROM runs",
  "SELECT * FROM runs WHERE EXISTS (FROM 'FOLDER/secret.csv')",
  "SELECT * FROM runs UNION ALL BY NAME SELECT * FROM '/etc/passwd'",
  "SELECT * FROM runs, LATERAL (SELECT * FROM read_text(run_id))",
  "SELECT * FROM runs QUALIFY (SELECT count(*) FROM glob('/*')) > 0",
  "COPY (SELECT 1) TO 'FOLDER/out.csv'",
  "COPY runs FROM 'FOLDER/secret.csv'",
  "EXPORT DATABASE 'FOLDER/empty'",
  "IMPORT DATABASE 'FOLDER/empty'",
  // Other databases and what is loaded.
  "ATTACH 'FOLDER/live-kernel.duckdb' AS live",
  "SELECT * FROM live.main.run_log",
  "SELECT * FROM memory.main.run_log",
  "SELECT * FROM information_schema.tables",
  "SELECT * FROM duckdb_secrets()",
  "SELECT * FROM duckdb_settings()",
  "SELECT * FROM duckdb_views()",
  "SELECT * FROM pragma_database_size()",
  "SELECT * FROM sqlite_master",
  "SELECT * FROM pg_catalog.pg_tables",
  "SHOW TABLES",
  "SHOW ALL TABLES",
  "INSTALL httpfs",
  "LOAD httpfs",
  // The process and its settings.
  "SELECT getenv('HOME')",
  "SELECT current_setting('allowed_paths')",
  "SELECT CURRENT_SETTING('home_directory')",
  "SELECT main.current_setting('threads')",
  "SELECT system.main.getvariable('x')",
  "SELECT list_transform([1], lambda x: current_setting('threads'))",
  "SELECT current_database(), current_query()",
  "SELECT user, session_user, version()",
  "SET enable_external_access = true",
  "RESET lock_configuration",
  "PRAGMA version",
  "CALL pragma_version()",
  "SELECT sleep_ms(100000)",
  "SELECT write_log('x')",
  // SQL in texts.
  "SELECT * FROM query('FROM duckdb_settings()')",
  "SELECT * FROM query_table('run_log')",
  "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
  "EXECUTE x",
  "PREPARE x AS SELECT 1",
  // More than one, and what writes.
  "SELECT 1; SELECT 2",
  "SELECT 1; DROP VIEW runs",
  "",
  "; ;",
  "-- nothing",
  "INSERT INTO scores (run_id) VALUES ('x')",
  "UPDATE run_log SET status = 'x'",
  "DELETE FROM event_log",
  "CREATE TABLE mine AS SELECT 1",
  "CREATE MACRO f() AS getenv('HOME')",
  "DROP VIEW runs",
  "BEGIN",
  "CHECKPOINT",
  "VACUUM",
  "EXPLAIN ANALYZE SELECT 1",
  "SELECT * FROM meta",
  "SELEC 1",
  "SELECT '\u0000'; DROP TABLE run_log",
];

test.each(attacks)("%j is refused before it runs", async (sql) => {
  const text = sql.replaceAll("FOLDER", folder);
  const error = await assertOneSelect(agents.connection, text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SqlError);
  expect((error as SqlError).code).toMatch(/^M(5414|5415|6101)$/);
});

/** Those that reach for a file, another database or a setting. */
const outside = attacks.filter((sql) =>
  /FOLDER\/(?!runs)|passwd|glob|^(SET|RESET|INSTALL|LOAD)/.test(sql),
);

test.each(outside)("and were it not: DuckDB itself refuses %j", async (sql) => {
  const text = sql.replaceAll("FOLDER", folder);
  await expect(agents.connection.run(text)).rejects.toThrow();
});

test("what is too long or too much is cut or ended", async () => {
  const { rows, cut } = await traces.answer({ runId: "asks", sql: "FROM range(100000)", signal });
  expect([rows.length, cut]).toEqual([200, true]);
  const wide = await traces.answer({
    runId: "asks",
    sql: "SELECT repeat('x', 30000) AS x FROM range(9)",
    signal,
  });
  expect([wide.rows.length, wide.cut]).toEqual([2, true]);
  const cancel = new AbortController();
  const large = {
    runId: "asks",
    sql: "SELECT list(repeat('x', 100000) || range) FROM range(100000)",
    signal,
  };
  await expect(traces.answer(large)).rejects.toMatchObject({ code: "M6102" });
  const endless =
    "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range ^ b.range = 7";
  const answer = traces.answer({ runId: "asks", sql: endless, signal: cancel.signal });
  setImmediate(() => cancel.abort());
  await expect(answer).rejects.toMatchObject({ code: "M6102" });
});

const text = `graph Look returns said {
  state { said: string = "" }
  agent look { model "scripted"; tools traces.query; prompt "What did you do?"; writes said }
  start -> look -> end
}`;

test("an agent that lists traces.query asks about its own run; a refusal is told to it, not to the run", async () => {
  const session = new Session({ env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const graph = session.compile(text).Look;
  const query = (sql: string) => ({ calls: [{ tool: "traces_query", input: { sql } }] });
  const models = {
    scripted: scripted({
      look: [query("SELECT graph, status FROM runs"), query("DROP VIEW runs"), "seen"],
    }),
  };
  const run = graph?.run({}, { models });
  expect(await run?.output).toEqual({ said: "seen" });
  const rows = await (await session.traces()).query(
    "SELECT tool, status, coalesce(result -> '$.rows', result -> '$.message') AS result FROM tool_calls ORDER BY seq",
  );
  expect(rows).toMatchInlineSnapshot(`
    [
      {
        "result": [
          {
            "graph": "Look",
            "status": "running",
          },
        ],
        "status": "ok",
        "tool": "traces.query",
      },
      {
        "result": "\`traces_query\` failed: M5414 exactly one SELECT can be asked here, and this is something else than a SELECT (WITH … SELECT and FROM … are one as well; aggregates do what PIVOT would)",
        "status": "error",
        "tool": "traces.query",
      },
    ]
  `);
});

// DuckDB can't be interrupted in one call of a function, and does not count its memory.
test("M5416: what takes too much memory is killed with its process, and the next question is answered", async () => {
  const sql = "SELECT length(repeat(repeat('x', 1000000), 4000)) AS n";
  await expect(traces.answer({ runId: "asks", sql, signal })).rejects.toMatchObject({
    code: "M5416",
    message: "the query took more than 768 MB of memory",
  });
  expect(await asked("SELECT count(*) AS n FROM runs")).toEqual([{ n: 2 }]);
});

test("M5416 in time, also where DuckDB can't be interrupted", async () => {
  const own = join(folder, "own.parquet");
  const asking = (sql: string) =>
    askAgentProcess({ own, parts: [], sql, limits: { timeMaxMs: 1 } }, signal);
  await expect(asking("SELECT length(repeat('x', 250000000)) AS n")).rejects.toMatchObject({
    code: "M5416",
    message: "the query took more than 0.001 s",
  });
});

test("several are asked at once, and one that is taken back is cancelled", async () => {
  const taken = new AbortController();
  const sql = "SELECT length(repeat('x', 250000000)) AS n";
  const cancelled = traces.answer({ runId: "asks", sql, signal: taken.signal });
  const others = [1, 2, 3].map((n) => asked(`SELECT ${n} AS n`));
  expect(await Promise.all(others)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
  taken.abort();
  await expect(cancelled).rejects.toMatchObject({ code: "M6102" });
});
