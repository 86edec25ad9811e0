/** Questions over a million events beside indexed SQLite, what they take on disk, and questions of one run among ten millions. */
import { mkdtempSync, rmSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openDatabase, type TraceDatabase } from "../../../runtime/trace/database/database.ts";
import { eventLog } from "../../../runtime/trace/schema/tables.ts";
import { fillTraces, generatedRuns } from "../../support/traces/fill-traces.ts";
import { alternate } from "../alternate.ts";
import type { Keep, Tell } from "../suite.ts";
import { clockMs } from "./processor-time.ts";
import { QUESTIONS, RUN_QUESTIONS } from "./questions.ts";

const RUNS = 5;
const SEED = 1;
const FREE_BYTES_MIN = 6e9;

interface Opened {
  readonly database: TraceDatabase;
  readonly folder: string;
}

/** Fills a file with a million events, asks it, and throws it away. */
export async function manyRows(tell: Tell, keep: Keep): Promise<void> {
  await inFile(async (opened) => {
    tell("bench: a million events");
    await fillTraces({ database: opened.database, seed: SEED, events: 1e6 });
    await sizeRow(opened, keep);
    await besideSqlite(opened, { tell, keep });
    await runRows(opened, "of a million events", keep);
  });
  if (freemem() < FREE_BYTES_MIN) {
    tell("bench: ten million events are left out: less than 6 GB of memory are free");
    return;
  }
  await inFile(async (opened) => {
    tell("bench: ten million events");
    await fillTraces({ database: opened.database, seed: SEED, events: 1e7 });
    await runRows(opened, "of ten million events", keep);
  });
}

async function inFile(work: (opened: Opened) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-bench-traces-"));
  const database = await openDatabase(join(folder, "traces.duckdb"));
  if ("kind" in database) throw new Error(database.message);
  try {
    await work({ database, folder });
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Blocks that are in use; a file also has some that the next rows will fill. */
const USED_BYTES = `
SELECT (used_blocks * block_size)::DOUBLE AS bytes
FROM pragma_database_size()`;
const JSON_BYTES = `
SELECT sum(strlen(to_json(e)::VARCHAR))::DOUBLE AS bytes
FROM event_log e`;

async function sizeRow({ database }: Opened, keep: Keep): Promise<void> {
  const [used, json] = [await numberOf(database, USED_BYTES), await numberOf(database, JSON_BYTES)];
  const name = "bytes on disk, a byte of JSON";
  keep({ name, unit: "bytes", goal: 0.2, goalOn: "ours", ours: [used / json] });
}

async function numberOf({ reader }: TraceDatabase, sql: string): Promise<number> {
  return Number((await reader.runAndReadAll(sql)).getRowsJS()[0]?.[0]);
}

async function besideSqlite(
  { database, folder }: Opened,
  { tell, keep }: { readonly tell: Tell; readonly keep: Keep },
): Promise<void> {
  tell("bench: the same in SQLite");
  const sqlite = sqliteOf(join(folder, "events.sqlite"));
  for (const { name, duckdb, sqlite: sql } of QUESTIONS) {
    const { ours, base } = await alternate(
      {
        ours: () => clockMs(() => database.reader.runAndReadAll(duckdb)),
        base: () => clockMs(() => sqlite.prepare(sql).all()),
      },
      { runs: RUNS, tell: () => {} },
    );
    const values = { name: "SQLite, indexed", values: base };
    keep({ name, unit: "ms", goal: 4, goalOn: "ratio", ours, base: values });
    keep({ name: `${name}, alone`, unit: "ms", goal: 150, goalOn: "ours", ours });
  }
  sqlite.close();
}

function sqliteOf(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file);
  sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  const columns = Object.keys(eventLog.columns);
  sqlite.exec(`CREATE TABLE event_log (${columns.join(", ")})`);
  const insert = sqlite.prepare(
    `INSERT INTO event_log VALUES (${columns.map(() => "?").join(", ")})`,
  );
  let count = 0;
  sqlite.exec("BEGIN");
  for (const { events } of generatedRuns(SEED)) {
    for (const row of events) {
      const cells = columns.map((name) => row[name as keyof typeof row] ?? null);
      insert.run(...cells.map((cell) => (typeof cell === "boolean" ? Number(cell) : cell)));
    }
    count += events.length;
    if (count >= 1e6) break;
  }
  sqlite.exec("COMMIT");
  sqlite.exec("CREATE INDEX by_run ON event_log (run_id, seq)");
  sqlite.exec("CREATE INDEX by_kind ON event_log (kind, node)");
  sqlite.exec("ANALYZE");
  return sqlite;
}

const SOME_RUN = `
SELECT run_id
FROM run_log
WHERE status = 'succeeded'
ORDER BY started_at
LIMIT 1
OFFSET $1::BIGINT`;

async function runRows({ database }: Opened, among: string, keep: Keep): Promise<void> {
  const { reader } = database;
  const [run, other] = await Promise.all(
    [3_000, 5_000].map(async (offset) => {
      const rows = (await reader.runAndReadAll(SOME_RUN, [offset])).getRowsJS();
      return String(rows[0]?.[0]);
    }),
  );
  for (const [name, sql] of Object.entries(RUN_QUESTIONS)) {
    const asked = sql.replace("$run", `'${run}'`).replace("$other", `'${other}'`);
    const ours: number[] = [];
    for (let time = 0; time <= RUNS; time += 1)
      ours.push(await clockMs(() => reader.runAndReadAll(asked)));
    const row = { unit: "ms", goal: 25, goalOn: "ours", ours: ours.slice(1) } as const;
    keep({ name: `${name}, ${among}`, ...row });
  }
}
