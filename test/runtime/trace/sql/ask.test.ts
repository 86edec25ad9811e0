/** What people ask: statement by statement, and so that nothing derived from the logs is written. */
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { isWritingTable, statementsOf } from "../../../../runtime/trace/sql/sql-statements.ts";
import { openTraces } from "../../../../runtime/trace/trace-store.ts";
import { projectNode, projectRoot } from "../../../support/child.ts";
import { newFolder } from "../store.ts";

async function inMemory() {
  const traces = await openTraces("/dev/null/none", "kernel");
  onTestFinished(() => traces.close());
  return traces;
}

/** What becomes of a query: its rows, or what is wrong and what to do. */
async function said(sql: string, traces?: Awaited<ReturnType<typeof inMemory>>): Promise<unknown> {
  const asked = (traces ?? (await inMemory())).ask(sql);
  return await asked.then(
    ({ rows }) => rows,
    ({ code, message, hint }) => `${code} ${message}${hint === undefined ? "" : ` (${hint})`}`,
  );
}

test("scores and prices may be written, nothing else of a trace", async () => {
  const traces = await inMemory();
  const written = [
    "INSERT INTO scores (run_id, name, value) VALUES ('r', 'good', 1)",
    "/* mine */ insert into main.scores (run_id, name, value) VALUES ('r', 'fast', 0)",
    "UPDATE \"scores\" SET value = 0.5 WHERE name = 'fast'",
    "DELETE FROM scores WHERE name = 'good'",
    "INSERT INTO model_prices VALUES ('m', '2026-01-01', 1, 2, NULL)",
    "INSERT INTO scores (run_id, name, value) VALUES ('s', 'a;b', 1); SELECT 1",
  ];
  for (const sql of written) expect(await said(sql, traces), sql).toBeInstanceOf(Array);
  expect(await said("SELECT run_id, name, value FROM scores ORDER BY ALL", traces)).toEqual([
    { run_id: "r", name: "fast", value: 0.5 },
    { run_id: "s", name: "a;b", value: 1 },
  ]);
});

test.each([
  "DELETE FROM event_log",
  "UPDATE run_log SET status = 'succeeded'",
  "UPDATE meta SET value = 'x'",
  "DROP TABLE scores",
  "DROP VIEW runs",
  "CREATE OR REPLACE VIEW runs AS SELECT 1",
  "CREATE TABLE mine AS SELECT 1",
  "ALTER TABLE event_log ADD COLUMN x INTEGER",
  "INSERT INTO scores_2 SELECT 1",
  "CREATE TABLE scores_2 AS SELECT 1",
  "SELECT 1; DELETE FROM event_log; SELECT 2",
  "EXPLAIN ANALYZE DELETE FROM event_log",
  "DELETE FROM event_log -- DELETE FROM scores",
  "'INSERT INTO scores'; DELETE FROM event_log",
])("refused: %s", async (sql) => {
  const traces = await inMemory();
  const before = await traces.query("SELECT count(*) AS n FROM duckdb_views() WHERE NOT internal");
  expect(String(await said(sql, traces))).toMatch(/^M(7630|6101) /);
  expect(await traces.query("SELECT count(*) AS n FROM event_log")).toEqual([{ n: 0 }]);
  expect(await traces.query("SELECT count(*) AS n FROM duckdb_views() WHERE NOT internal")).toEqual(
    before,
  );
  expect(await said("SELECT 1 AS one", traces)).toEqual([{ one: 1 }]);
});

test("what is refused, and what is no statement, says what to do", async () => {
  expect(await said("DELETE FROM event_log")).toMatchInlineSnapshot(
    `"M7630 a query writes nothing but \`scores\`, \`model_prices\` and \`model_contexts\` (CREATE TEMP TABLE … keeps rows of your own for this session; COPY (…) TO 'file' writes them to a file)"`,
  );
  expect(await said("BEGIN; SELECT 1; COMMIT")).toMatchInlineSnapshot(
    `"M7630 a query has no transaction of its own (leave BEGIN, COMMIT and ROLLBACK out: each statement is one)"`,
  );
  expect(await said(" -- nothing\n ; ")).toMatchInlineSnapshot(
    `"M6101 there is no statement in the query (for example: SELECT node, sum(dur_us) FROM node_runs GROUP BY node)"`,
  );
  expect(await said("SELECT 1; SELECT $1")).toMatchInlineSnapshot(
    `"M6101 Values were not provided for the following prepared statement parameters: 1 (give each \`$1\` or \`$name\` in the statement a value)"`,
  );
});

test.each([
  ...["DELETE FROM runs", "UPDATE runs SET graph = 'x'", "INSERT INTO runs VALUES (1)"],
  "TRUNCATE node_runs",
])("%s: says what is a query's to write", async (sql) => {
  expect(await said(sql)).toMatch(
    /^M7630 what is traced is made from the logs .* \(`scores`, `model_prices` and `model_contexts` are yours/,
  );
});

test.each([
  [
    "INSERT INTO scores VALUES (1)",
    "M6101 table scores has 8 columns but 1 values were supplied (name the columns that you fill: INSERT INTO scores (run_id, name, value) VALUES (…))",
  ],
  [
    "FROM run_gantt(run.id)",
    "M6101 no table of this query is called run; there is `spans` (a value of TypeScript is written `${run.id}`; another name of a table stands behind it: `FROM runs run`)",
  ],
  [
    'SELECT node FROM node_runs WHERE status = "failed"',
    "M6101 Referenced column \"failed\" not found in FROM clause! (a text stands in single quotes: 'failed'; double ones are for names)",
  ],
])("%s: a mistake that people make", async (sql, told) => {
  expect(await said(sql)).toBe(told);
});

test("temporary tables stay from query to query, and everything that reads is left alone", async () => {
  const traces = await inMemory();
  await said("CREATE TEMP TABLE mine AS SELECT range AS n FROM range(3)", traces);
  expect(await said("INSERT INTO mine VALUES (7); SELECT sum(n) AS n FROM mine", traces)).toEqual([
    { n: 10 },
  ]);
  expect(await said("PIVOT mine ON n USING count(*)", traces)).toHaveLength(1);
  expect(await said("DESCRIBE runs", traces)).not.toHaveLength(0);
  expect(await said("SET threads = 2", traces)).toEqual([]);
  expect(await traces.ask("SET threads = 2")).toEqual({ columns: [], rows: [], isCut: false });
});

test("each statement gets the parameters that stand in it", async () => {
  const traces = await inMemory();
  const sql = "CREATE TEMP TABLE kept AS SELECT $1 AS a; SELECT a, $2 AS b FROM kept";
  expect((await traces.ask(sql, ["x", 2])).rows).toEqual([{ a: "x", b: 2 }]);
  expect((await traces.ask("SELECT $x AS x", { x: null, unused: 1 })).rows).toEqual([{ x: null }]);
});

test("two questions go on at a time, a third waits, and each is cancelled by itself", async () => {
  const traces = await inMemory();
  const endless = "SELECT sum(a.range * b.range) FROM range(100000000) a, range(100000000) b";
  const [first, second] = [new AbortController(), new AbortController()];
  const cancelled = [first, second].map(({ signal }) =>
    expect(traces.ask(endless, [], { signal })).rejects.toMatchObject({
      message: "the query was cancelled",
    }),
  );
  let isThirdOver = false;
  const third = traces.ask("SELECT 3 AS three").then(({ rows }) => {
    isThirdOver = true;
    return rows;
  });
  // One of two comes in between, whatever the other does.
  second.abort();
  expect(await third).toEqual([{ three: 3 }]);
  expect(isThirdOver).toBe(true);
  const besides = await traces.ask("SELECT 4 AS four");
  expect(besides.rows).toEqual([{ four: 4 }]);
  first.abort();
  await Promise.all(cancelled);
  expect(await said("SELECT 5 AS five", traces)).toEqual([{ five: 5 }]);
});

test("how far a query is comes as long as it runs", async () => {
  const traces = await inMemory();
  const stop = new AbortController();
  const seen: (number | undefined)[] = [];
  const asked = traces.ask(
    "SELECT sum(a.range * b.range) FROM range(100000000) a, range(100000000) b",
    [],
    {
      signal: stop.signal,
      progress: (percent) => {
        seen.push(percent);
        if (seen.length === 2) stop.abort();
      },
    },
  );
  await expect(asked).rejects.toMatchObject({ code: "M6102" });
  expect(seen.every((percent) => percent === undefined || (percent >= 0 && percent <= 100))).toBe(
    true,
  );
  expect(seen.length).toBeGreaterThanOrEqual(2);
});

test("values keep what they are: microseconds, long decimals, maps, NULL", async () => {
  const traces = await inMemory();
  const { columns, rows } = await traces.ask(`SELECT
    1.10::DECIMAL(5,2) AS short, 12345678901234567890.12::DECIMAL(38,2) AS long,
    TIMESTAMP '2020-01-01 00:00:00.123456' AS at, map {'a': 1} AS named, map {1: 'a'} AS numbered,
    [1, NULL] AS list, {'a': DATE '2020-01-01'} AS struct, INTERVAL 3 days AS pause, NULL AS nothing,
    9007199254740993 AS big, 'a\\x00'::BLOB AS bytes, '{"a": [1]}'::JSON AS json`);
  expect(rows.map((row) => ({ ...row, bytes: Array.from(row.bytes as Uint8Array) }))).toEqual([
    {
      short: 1.1,
      long: "12345678901234567890.12",
      at: "2020-01-01T00:00:00.123456Z",
      named: { a: 1 },
      numbered: [{ key: 1, value: "a" }],
      list: [1, null],
      struct: { a: "2020-01-01" },
      pause: "3 days",
      nothing: null,
      big: "9007199254740993",
      bytes: [97, 0],
      json: { a: [1] },
    },
  ]);
  expect(columns.map(({ type }) => type)).toMatchInlineSnapshot(`
    [
      "DECIMAL(5,2)",
      "DECIMAL(38,2)",
      "TIMESTAMP",
      "MAP(VARCHAR, INTEGER)",
      "MAP(INTEGER, VARCHAR)",
      "INTEGER[]",
      "STRUCT("a" DATE)",
      "INTERVAL",
      "INTEGER",
      "BIGINT",
      "BLOB",
      "JSON",
    ]
  `);
  // Every type that there is comes out, its smallest and its largest value too.
  const all = await traces.ask("SELECT * FROM test_all_types()");
  expect(all.rows).toHaveLength(3);
  expect(() => JSON.stringify(all.rows)).not.toThrow();
});

test("what is wrong with an argument of a macro is told at the argument, and how the macro is called", async () => {
  const traces = await inMemory();
  const place = async (sql: string) => {
    const error = await traces.ask(sql).catch((thrown: unknown) => thrown);
    const { message, line, column, hint } = error as Record<string, unknown>;
    return `${line}:${column} ${message} (${hint})`;
  };
  expect(await place("SELECT *\nFROM state_at('r', nope)")).toMatchInlineSnapshot(
    `"2:20 Referenced column "nope" not found in FROM clause! (a text stands in quotes: 'nope')"`,
  );
  expect(await place("FROM state_at('r')")).toMatchInlineSnapshot(
    `"1:6 Macro state_at() does not support the supplied arguments. You might need to add explicit type casts. (it is \`state_at(run, upto_step)\`)"`,
  );
  expect(await place("FROM stat_at('r', 1)")).toMatchInlineSnapshot(
    `"1:6 Table Function with name stat_at does not exist! (did you mean \`state_at\`?)"`,
  );
});

const piece = fc.constantFrom(
  "SELECT 1",
  "INSERT INTO t VALUES (';')",
  'SELECT "a;b"',
  "SELECT $$;$$",
  "SELECT $x$ ; $$ $x$",
  "SELECT E'\\';'",
  "SELECT 1 -- ;",
  "SELECT /* ; */ 1",
  "SELECT 'it''s;'",
);

test("law: a text is taken apart where its statements end", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
      const text = pieces.map((one) => `${one}\n;`).join(" ; -- a comment;\n");
      const found = statementsOf(text).map((one) =>
        one.replace(/^[\s\S]*?(?=SELECT|INSERT)/, "").trim(),
      );
      expect(found).toEqual(pieces);
    }),
  );
});

test("scores in another place of a statement are no reason to write", () => {
  for (const sql of [
    "DELETE FROM event_log WHERE name = 'scores'",
    "UPDATE scores2 SET a = 1",
    "INSERT INTO other.scores VALUES (1)",
  ])
    expect(isWritingTable(sql)).toBe(false);
});

const OPEN = `import { DuckDBInstance } from "@duckdb/node-api";
await DuckDBInstance.create(process.argv[1]);
console.log("opened");`;

test.each(["ask", "query"] as const)(
  "%s lets the file go, although rows are left unread",
  async (method) => {
    const traces = await openTraces(newFolder(), "kernel");
    await traces[method]("SELECT range AS n FROM range(10000000000)", [], { rowsMax: 10 });
    // The connection goes on.
    expect((await traces.ask("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await traces.close();
    // Another process is refused as long as this one holds the file.
    const args = ["--input-type=module", "--eval", OPEN, traces.file ?? ""];
    const { stdout, stderr } = spawnSync(projectNode, args, { cwd: projectRoot, encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: "opened\n", stderr: "" });
  },
);
