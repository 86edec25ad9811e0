import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../../../runtime/trace/database/database.ts";
import { openTraces, SqlError, type TraceStore } from "../../../../runtime/trace/trace-store.ts";
import { failedRun, searchRun, sourceOf } from "../sample.ts";
import { contents, newFolder, traced } from "../store.ts";

const source = sourceOf([searchRun("r1"), failedRun("r2")]);
const child = join(import.meta.dirname, "child.ts");

test("a new file is the user's alone", async () => {
  const folder = newFolder();
  const traces = await traced(source, join(folder, "traces"));
  expect(traces.file).toBe(join(folder, "traces", "live-kernel.duckdb"));
  expect(modeOf(join(folder, "traces"))).toBe("700");
  expect(modeOf(traces.file)).toBe("600");
  expect(modeOf(`${traces.file}.wal`)).toBe("600");
});

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test("a file that is closed is opened again, with its rows", async () => {
  const folder = newFolder();
  const first = await traced(source, folder);
  const rows = await contents(first);
  await first.close();
  expect(existsSync(`${first.file}.wal`)).toBe(false);
  const second = await openTraces(folder, "kernel");
  expect(await contents(second)).toEqual(rows);
  expect(second.warnings).toEqual([]);
  await second.close();
});

test("an owner's name can't lead out of the folder", async () => {
  const folder = newFolder();
  const traces = await openTraces(folder, "../../etc/kernel 1");
  expect(traces.file).toBe(join(folder, "live-.._.._etc_kernel_1.duckdb"));
  await traces.close();
});

test("another process has the file: the next one is used, with the same rows", async () => {
  const folder = newFolder();
  const other = spawn(process.execPath, [child, folder, "hold", "22"]);
  await once(other.stdout, "data");
  const traces = await traced(source, folder);
  expect(traces.file).toBe(join(folder, "live-kernel-2.duckdb"));
  expect(traces.warnings).toMatchObject([{ code: "M6002" }]);
  expect(traces.warnings[0]?.message).toContain(`(PID ${other.pid})`);
  expect(await contents(traces)).toEqual(await contents(await traced(source)));
  other.stdin.end();
  await once(other, "exit");
});

test("two stores in one process never share a file", async () => {
  const folder = newFolder();
  const [first, second] = [await traced(source, folder), await traced(source, folder)];
  expect(first.file).not.toBe(second.file);
  expect(second.warnings).toMatchObject([{ code: "M6002" }]);
  await first.close();
  const third = await traced(source, folder);
  expect(third.file).toBe(first.file);
  expect(await contents(third)).toEqual(await contents(second));
});

test.each([
  ["of noise", Buffer.from("this is no database, ".repeat(1_000))],
  ["that is empty", Buffer.alloc(0)],
])("a file %s is set aside and made again from the logs", async (_, bytes) => {
  const folder = newFolder();
  const file = join(folder, "live-kernel.duckdb");
  writeFileSync(file, bytes);
  const traces = await traced(source, folder);
  expect(traces.file).toBe(file);
  expect(traces.warnings).toMatchObject([{ code: "M6003" }]);
  expect(readFileSync(`${file}.corrupt-1`)).toEqual(bytes);
  expect(await contents(traces)).toEqual(await contents(await traced(source)));
});

test("a second damaged file does not overwrite the first one set aside", async () => {
  const folder = newFolder();
  const file = join(folder, "live-kernel.duckdb");
  for (const text of ["one", "two"]) {
    writeFileSync(file, text);
    await (await openTraces(folder, "kernel")).close();
  }
  expect(readFileSync(`${file}.corrupt-1`, "utf8")).toBe("one");
  expect(readFileSync(`${file}.corrupt-2`, "utf8")).toBe("two");
});

test("a write-ahead log with a tail of zeros, as a power failure leaves it, is set aside with its file", async () => {
  const folder = newFolder();
  const file = join(folder, "live-kernel.duckdb");
  spawnSync(process.execPath, [child, folder, "die", "22"]);
  const wal = `${file}.wal`;
  const size = statSync(wal).size;
  truncateSync(wal, size - 200);
  truncateSync(wal, size);
  const traces = await traced(source, folder);
  expect(traces.warnings).toMatchObject([{ code: "M6003" }]);
  expect(statSync(`${file}.corrupt-1.wal`).size).toBe(size);
  expect(await contents(traces)).toEqual(await contents(await traced(source)));
});

test("a write-ahead log that was cut short is read up to the cut, and the rest comes from the logs", async () => {
  const folder = newFolder();
  const file = join(folder, "live-kernel.duckdb");
  spawnSync(process.execPath, [child, folder, "die", "22"]);
  truncateSync(`${file}.wal`, statSync(`${file}.wal`).size - 200);
  const traces = await traced(source, folder);
  expect(traces.warnings).toEqual([]);
  expect(await contents(traces)).toEqual(await contents(await traced(source)));
});

test("a file of another schema is set aside and made again", async () => {
  const folder = newFolder();
  const first = await openTraces(folder, "kernel");
  await first.query("UPDATE meta SET value = 'older'");
  await first.close();
  const traces = await traced(source, folder);
  expect(traces.file).toBe(first.file);
  expect(traces.warnings).toMatchObject([{ code: "M6004" }]);
  expect(readdirSync(folder)).toContain("live-kernel.duckdb.outdated-1");
});

test("a database of someone else's is set aside", async () => {
  const folder = newFolder();
  const database = await openDatabase(join(folder, "other.duckdb"));
  if ("kind" in database) throw new Error(database.message);
  await database.writer.run("DROP TABLE meta");
  database.close();
  expect(await openDatabase(join(folder, "other.duckdb"))).toMatchObject({ kind: "outdated" });
});

test("where no folder can be, traces are in memory, with a warning", async () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  const traces = await traced(source, join(file, "traces"));
  expect(traces.file).toBe(":memory:");
  expect(traces.warnings).toMatchObject([{ code: "M6001" }]);
  expect(traces.warnings[0]?.message).toContain(join(file, "traces"));
  expect(await contents(traces)).toEqual(await contents(await traced(source)));
});

test("in a folder without the right to write, traces are in memory", () => {
  const folder = newFolder();
  chmodSync(folder, 0o555);
  const module = new URL("../../../../runtime/trace/trace-store.ts", import.meta.url);
  const script = `
    // Root may write anywhere.
    if (process.getuid() === 0) process.setuid(65534);
    const { openTraces } = await import(${JSON.stringify(module)});
    const traces = await openTraces(${JSON.stringify(folder)}, "kernel");
    console.log(traces.file, traces.warnings.map(({ code }) => code).join());
    await traces.close();`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(stdout).toBe(":memory: M6001\n");
});

test("below a folder with a `?`, where DuckDB keeps nothing, traces are in memory", async () => {
  const folder = join(newFolder(), "why?");
  const traces = await traced(source, folder);
  expect(traces.file).toBe(":memory:");
  expect(traces.warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
    `M6001 traces can't be written to ${folder}: DuckDB keeps no file in a folder whose path has a \`?\``,
  ]);
  expect(existsSync(folder)).toBe(false);
});

/** What a query that can't be answered says. */
async function complaint(sql: string, params?: readonly string[]): Promise<string> {
  const traces = await traced(source);
  const error = await traces.query(sql, params).catch((error: unknown) => error);
  if (!(error instanceof SqlError)) throw new Error(`no SqlError: ${String(error)}`);
  expect(error.sql).toBe(sql);
  const place = error.line === undefined ? "" : ` ${error.line}:${error.column}`;
  return `${error.code}${place} ${error.message} (${error.hint})`;
}

test("SQL that is wrong: what, where, and what to do", async () => {
  expect(await complaint("SELEC 1")).toMatchInlineSnapshot(
    `"M6101 1:1 syntax error at or near "SELEC" (the place is where DuckDB stopped understanding)"`,
  );
  expect(await complaint("SELECT 'é',\n  'è', nodes FROM node_runs")).toMatchInlineSnapshot(
    `"M6101 2:8 Referenced column "nodes" not found in FROM clause! (did you mean \`node\`?)"`,
  );
  expect(await complaint("FROM node_run")).toMatchInlineSnapshot(
    `"M6101 1:6 Table with name node_run does not exist! (did you mean \`node_runs\`?)"`,
  );
  expect(await complaint("FROM runs WHERE run_id = $1", [])).toMatchInlineSnapshot(
    `"M6101 Values were not provided for the following prepared statement parameters: 1 (give each \`$1\` or \`$name\` in the statement a value)"`,
  );
});

test("SQL that fails while it runs", async () => {
  expect(await complaint("SELECT graph::INTEGER FROM runs")).toMatchInlineSnapshot(
    `"M6102 1:13 Could not convert string 'DeepSearch' to INT32 when casting from source column graph (\`TRY_CAST(… AS …)\` gives NULL where a value does not fit)"`,
  );
  expect(await complaint("SELECT error('my own')")).toMatchInlineSnapshot(
    `"M6102 my own (undefined)"`,
  );
});

test("a query is cancelled by its signal, and the next one is answered", async () => {
  const traces = await traced(source);
  const cancel = new AbortController();
  const sql =
    "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range ^ b.range = 7";
  const slow = traces.query(sql, [], { signal: cancel.signal });
  setImmediate(() => cancel.abort());
  await expect(slow).rejects.toMatchObject({ code: "M6102" });
  expect(await traces.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await expect(traces.query("SELECT 1", [], { signal: AbortSignal.abort() })).rejects.toMatchObject(
    { code: "M6102" },
  );
});

test("values come as plain JavaScript", async () => {
  const traces = await traced(source);
  const sql = `
    SELECT
      9007199254740991::BIGINT AS safe,
      9007199254740993::BIGINT AS big,
      TIMESTAMP '2026-03-01 12:00:00.25' AS at,
      'infinity'::TIMESTAMP AS never,
      DATE '2026-03-01' AS day,
      INTERVAL 90 MINUTE AS long,
      1.25::DECIMAL(5, 2) AS money,
      [1::BIGINT, NULL] AS list,
      {'a': '{"b": [1]}'::JSON} AS struct,
      '{"c": null}'::JSON AS json,
      true AS yes,
      NULL AS nothing`;
  expect(await traces.query(sql)).toMatchInlineSnapshot(`
    [
      {
        "at": "2026-03-01T12:00:00.250Z",
        "big": "9007199254740993",
        "day": "2026-03-01",
        "json": {
          "c": null,
        },
        "list": [
          1,
          null,
        ],
        "long": "01:30:00",
        "money": 1.25,
        "never": "infinity",
        "nothing": null,
        "safe": 9007199254740991,
        "struct": {
          "a": {
            "b": [
              1,
            ],
          },
        },
        "yes": true,
      },
    ]
  `);
});

test("values go in by place or by name, never as text", async () => {
  const traces = await traced(source);
  const evil = "'; DROP TABLE run_log; --";
  expect(await traces.query("SELECT $1 AS a, $2 AS b", [evil, 2])).toEqual([{ a: evil, b: 2 }]);
  expect(await traces.query("SELECT $x AS x", { x: null })).toEqual([{ x: null }]);
  expect(await traces.query("SELECT count(*) AS n FROM runs")).toEqual([{ n: 2 }]);
});

test("no extension is fetched", async () => {
  const traces = await traced(source);
  const settings = `
    SELECT name, value
    FROM duckdb_settings()
    WHERE name LIKE 'auto%extensions'
    ORDER BY name`;
  expect(await traces.query(settings)).toEqual([
    { name: "autoinstall_known_extensions", value: "false" },
    { name: "autoload_known_extensions", value: "false" },
  ]);
});

test("close waits for what is under way; after it, nothing is asked or written", async () => {
  const traces: TraceStore = await openTraces(newFolder(), "kernel");
  const [count, rows] = [traces.ingest(source), traces.query("SELECT 1 AS one")];
  await Promise.all([traces.close(), traces.close()]);
  expect(await count).toBe(26);
  expect(await rows).toEqual([{ one: 1 }]);
  expect(await traces.ingest(source)).toBe(0);
  await expect(traces.query("SELECT 1")).rejects.toMatchObject({ code: "M6103" });
});
