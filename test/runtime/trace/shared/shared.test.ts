/** Traces of several processes: what each writes for the others, and what it sees of them. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, onTestFinished, test } from "vitest";
import {
  openTraces,
  type TraceSource,
  type TraceStore,
} from "../../../../runtime/trace/trace-store.ts";
import { failedRun, NOON, searchRun, sourceOf } from "../sample.ts";
import { contents, newFolder, traced } from "../store.ts";

const samples = [searchRun("r1"), failedRun("r2"), searchRun("r3", NOON + 60_000)];
const nothing = sourceOf([]);

/** What is in a source, written as Parquet by a process that has ended. */
async function written(folder: string, source: TraceSource, owner = "other"): Promise<void> {
  const traces = await openTraces(folder, owner);
  await traces.ingest(source);
  await traces.close();
}

const filesIn = (folder: string) => readdirSync(join(folder, "runs")).sort();

async function ownRuns(traces: TraceStore): Promise<readonly unknown[]> {
  const [{ name } = {}] = await traces.query("SELECT current_database() AS name");
  const rows = await traces.query(`SELECT run_id FROM "${name}".main.run_log ORDER BY run_id`);
  return rows.map((row) => row.run_id);
}

test("each run that has ended is one file, the owner's alone, with all that a reader needs", async () => {
  const folder = newFolder();
  const source = sourceOf(samples);
  source.show("r3", 10);
  await written(folder, source);
  expect(filesIn(folder)).toEqual(["r1.parquet", "r2.parquet"]);
  expect(statSync(join(folder, "runs", "r1.parquet")).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "runs")).mode & 0o777).toBe(0o700);
  const reader = await traced(nothing, newFolder());
  const [row] = await reader.query(
    `SELECT
      count(*) FILTER (what = 'event') AS events,
      any_value(run_row.status) AS status,
      any_value(graph_row.text) AS text
    FROM read_parquet($1)`,
    [join(folder, "runs", "r1.parquet")],
  );
  expect(row).toMatchObject({ events: 34, status: "succeeded", text: "graph DeepSearch() { … }" });
});

test("another process sees them without reading a log, the same to the row", async () => {
  const folder = newFolder();
  await written(folder, sourceOf(samples));
  const other = await traced(nothing, folder);
  expect(await contents(other)).toEqual(await contents(await traced(sourceOf(samples))));
  expect(await other.ingest(sourceOf(samples))).toBe(0);
  expect(await ownRuns(other)).toEqual([]);
  expect(other.warnings).toEqual([]);
});

test("a run that went on since is read from its log, and counts once", async () => {
  const folder = newFolder();
  const source = sourceOf(samples);
  await written(folder, source);
  const longer = sourceOf(
    samples.map(({ meta, records }) => ({
      meta,
      records:
        meta.runId === "r2"
          ? [...records, { ...records[1], seq: 5, at: NOON + 5_000 } as never]
          : records,
    })),
  );
  const other = await traced(longer, folder);
  expect(await ownRuns(other)).toEqual(["r2"]);
  expect(await contents(other)).toEqual(await contents(await traced(longer)));
});

test("a file that comes while a process lives is in its next answer", async () => {
  const folder = newFolder();
  const other = await traced(nothing, folder);
  const runs = async () =>
    (await other.query("SELECT run_id FROM runs ORDER BY run_id")).map((row) => row.run_id);
  expect(await runs()).toEqual([]);
  await written(folder, sourceOf(samples.slice(0, 1)), "one");
  expect(await runs()).toEqual(["r1"]);
  await written(folder, sourceOf(samples.slice(1)), "two");
  expect(await runs()).toEqual(["r1", "r2", "r3"]);
  expect(await other.query("FROM node_runs SELECT count(*) AS n")).toEqual([{ n: 9 }]);
});

test("many that ended at once are files of a month", async () => {
  const folder = newFolder();
  const march = Array.from({ length: 20 }, (_, at) => failedRun(`march-${at}`));
  const april = [
    failedRun("april", NOON + 31 * 86_400_000),
    failedRun("may", NOON + 31 * 86_400_000),
  ];
  await written(folder, sourceOf([...march, ...april]));
  expect(filesIn(folder).map((name) => name.slice(0, 12))).toEqual([
    "many-2026-03",
    "many-2026-04",
  ]);
  const other = await traced(nothing, folder);
  expect(await contents(other)).toEqual(
    await contents(await traced(sourceOf([...march, ...april]))),
  );
});

/** The same file by another hand: DuckDB reads it without complaint. */
async function rewrite(file: string, select: string, rows = ""): Promise<void> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const [[told] = []] = (
    await connection.runAndReadAll(
      `SELECT decode(value) FROM parquet_kv_metadata('${file}') WHERE decode(key) = 'madrigal'`,
    )
  ).getRowsJS();
  await connection.run(
    `COPY (${select} FROM read_parquet('${file}') ${rows}) TO '${file}.new' (FORMAT parquet, KV_METADATA {madrigal: '${told}'})`,
  );
  connection.closeSync();
  instance.closeSync();
  renameSync(`${file}.new`, file);
}

const damages: Readonly<Record<string, (file: string) => unknown>> = {
  "cut in half": (file) => truncateSync(file, statSync(file).size >> 1),
  empty: (file) => truncateSync(file, 0),
  "no Parquet": (file) => writeFileSync(file, "run_id,status\n"),
  "zeros for its first half": (file) =>
    writeFileSync(file, readFileSync(file).fill(0, 4, statSync(file).size >> 1)),
  "a row less": (file) => rewrite(file, "SELECT *", "LIMIT 31"),
  "another word": (file) => rewrite(file, "SELECT * REPLACE ('nobody' AS node)"),
  "one bit": (file) => {
    const bytes = readFileSync(file);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  },
  "of nobody's layout": (file) => {
    const bytes = readFileSync(file, "latin1");
    writeFileSync(
      file,
      bytes.replace(/"rows":"[0-9a-f]{16}"/, '"rows":"0000000000000000"'),
      "latin1",
    );
  },
};

test("files that are damaged or of another layout are left out, each with a warning", async () => {
  const folder = newFolder();
  const kinds = Object.keys(damages).map((_, at) => searchRun(`bad-${at}`));
  const source = sourceOf([...kinds, ...samples]);
  await written(folder, source);
  for (const [at, damage] of Object.values(damages).entries()) {
    await damage(join(folder, "runs", `bad-${at}.parquet`));
  }
  const other = await traced(nothing, folder);
  const ids = await other.query(
    "SELECT DISTINCT run_id FROM event_log WHERE payload <> '' ORDER BY 1",
  );
  expect(ids.map(({ run_id }) => run_id)).toEqual(["r1", "r2", "r3"]);
  const told = other.warnings.map(({ code, message }) => [message.match(/bad-\d/)?.[0], code]);
  expect(told.sort()).toEqual([
    ["bad-0", "M5410"],
    ["bad-1", "M5410"],
    ["bad-2", "M5410"],
    ["bad-3", "M5439"],
    ["bad-4", "M5439"],
    ["bad-5", "M5439"],
    ["bad-6", "M5439"],
    ["bad-7", "M5411"],
  ]);
  // Their logs are there, so nothing of them is missing, and they are written anew beside what was set aside.
  await other.ingest(source);
  expect(await contents(other)).toEqual(await contents(await traced(source)));
  await other.share();
  const after = await openTraces(folder, "after");
  onTestFinished(() => after.close());
  expect(after.warnings).toEqual([]);
  expect(await contents(after)).toEqual(await contents(other));
  expect(filesIn(folder).filter((name) => name.includes(".corrupt-"))).toHaveLength(4);
});

test("what an id of a run and a folder can hold is no SQL and no path", async () => {
  const folder = join(newFolder(), 'it\'s [a] * "folder"');
  const ids = ["../../up", "it's'; DROP TABLE run_log; --", "many-r", "ü/\\"];
  const source = sourceOf(ids.map((id) => failedRun(id)));
  await written(folder, source);
  expect(filesIn(folder).every((name) => /^run-[0-9a-f]{64}\.parquet$/.test(name))).toBe(true);
  const other = await traced(nothing, folder);
  expect(await contents(other)).toEqual(await contents(await traced(source)));
});

test("what can't be written harms nobody", async () => {
  const folder = newFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "runs"), "in the way");
  onTestFinished(() => chmodSync(folder, 0o700));
  const traces = await openTraces(folder, "kernel");
  await traces.ingest(sourceOf(samples));
  await traces.close();
  expect(traces.warnings.map(({ code }) => code)).toEqual(["M5412"]);
});
