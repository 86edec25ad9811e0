/** Scores, prices and lengths of contexts are in the store of runs: what one process writes, every other has, while both live. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { RunError } from "../../../../runtime/failure.ts";
import { memoryRunStore } from "../../../../runtime/store/open-store.ts";
import type { WritableTables } from "../../../../runtime/store/run-store.ts";
import { openTraces } from "../../../../runtime/trace/trace-store.ts";
import { searchRun, sourceOf } from "../sample.ts";
import { contents, newFolder, storeIn, traced } from "../store.ts";

const child = join(import.meta.dirname, "asking-child.ts");
const nothing = sourceOf([]);
const all = "SELECT run_id, name, value FROM scores ORDER BY ALL";

/** Another process, which is asked line by line. */
async function otherProcess(folder: string): Promise<{
  readonly process: ChildProcess;
  ask(sql: string): Promise<unknown>;
}> {
  const other = spawn(process.execPath, [child, folder]);
  onTestFinished(() => void other.kill("SIGKILL"));
  const said = createInterface({ input: other.stdout })[Symbol.asyncIterator]();
  expect((await said.next()).value).toBe("ready");
  const ask = async (sql: string) => {
    other.stdin.write(`${JSON.stringify(sql)}\n`);
    return JSON.parse((await said.next()).value ?? "null");
  };
  return { process: other, ask };
}

test("two processes see, change and take away what the other wrote, and a third finds it later", async () => {
  const folder = newFolder();
  const other = await otherProcess(folder);
  const traces = await traced(sourceOf([searchRun("r1")]), folder, storeIn(folder));
  await other.ask("INSERT INTO scores (run_id, name, value) VALUES ('r1', 'good', 0.5)");
  expect(await traces.query(all)).toEqual([{ run_id: "r1", name: "good", value: 0.5 }]);
  expect(await traces.query("SELECT max(reward) AS reward FROM trajectory")).toEqual([
    { reward: 0.5 },
  ]);
  await traces.ask("UPDATE scores SET value = 0.75 WHERE name = 'good'");
  await traces.query("INSERT INTO model_prices VALUES ('rules', '2026-01-01', 2, 10, NULL)");
  expect(await other.ask(all)).toEqual([{ run_id: "r1", name: "good", value: 0.75 }]);
  expect(await other.ask("SELECT model, output_usd FROM model_prices")).toEqual([
    { model: "rules", output_usd: 10 },
  ]);
  await other.ask("INSERT INTO model_contexts VALUES ('rules', 1000)");
  const context = "SELECT DISTINCT total_context_length AS n FROM context_usage";
  expect(await traces.query(context)).toEqual([{ n: 1000 }]);
  await other.ask("DELETE FROM scores");
  expect(await traces.query(all)).toEqual([]);
  // Dead, it leaves nothing that would bring them back.
  other.process.kill("SIGKILL");
  await once(other.process, "exit");
  expect(await traces.takeOver()).toBe(1);
  expect(await traces.query(all)).toEqual([]);
  const third = await traced(nothing, folder, storeIn(folder));
  expect(await third.query("SELECT model FROM model_prices")).toEqual([{ model: "rules" }]);
  expect(traces.warnings).toEqual([]);
});

test("who writes at once loses nothing and counts nothing twice", async () => {
  const folder = newFolder();
  const other = await otherProcess(folder);
  const [one, two] = [
    await traced(nothing, folder, storeIn(folder)),
    await openTraces(folder, "two", storeIn(folder)),
  ];
  await one.query("INSERT INTO scores (run_id, name, value) VALUES ('r', 'sum', 0)");
  const add = "UPDATE scores SET value = value + 1 WHERE name = 'sum'";
  const times = (n: number, work: (at: number) => Promise<unknown>) =>
    Array.from({ length: n }, (_, at) => work(at));
  const insert = (by: string) => (at: number) =>
    `INSERT INTO scores (run_id, name, value) VALUES ('${by}', 'x', ${at})`;
  await Promise.all([
    ...times(6, () => one.query(add)),
    ...times(6, () => two.ask(add)),
    ...times(6, (at) => one.query(insert("one")(at))),
    (async () => {
      for (let at = 0; at < 6; at += 1) {
        await other.ask(add);
        await other.ask(insert("other")(at));
      }
    })(),
  ]);
  const counted =
    "SELECT run_id, count(*)::INTEGER AS n, max(value) AS most FROM scores GROUP BY ALL ORDER BY ALL";
  const expected = [
    { run_id: "one", n: 6, most: 5 },
    { run_id: "other", n: 6, most: 5 },
    { run_id: "r", n: 1, most: 18 },
  ];
  expect(await one.query(counted)).toEqual(expected);
  expect(await two.query(counted)).toEqual(expected);
  expect(await other.ask(counted)).toEqual(expected);
  await two.close();
});

const insert = "INSERT INTO scores (run_id, name, value) VALUES ('r', 'first', 1)";

test("they are in runs.sqlite: the traces can be deleted, and other programs can read them", async () => {
  const folder = newFolder();
  const tracesDir = join(folder, "traces");
  const before = await openTraces(tracesDir, "kernel", storeIn(folder));
  await before.query(insert);
  await before.close();
  rmSync(tracesDir, { recursive: true });
  const after = await traced(nothing, tracesDir, storeIn(folder));
  expect(await after.query(all)).toEqual([{ run_id: "r", name: "first", value: 1 }]);
  const database = new DatabaseSync(join(folder, "runs.sqlite"), { readOnly: true });
  onTestFinished(() => database.close());
  expect(database.prepare("SELECT name, value FROM scores").all()).toEqual([
    { name: "first", value: 1 },
  ]);
});

test("a value comes back as it was written, and equal rows stay as many as they are", async () => {
  const folder = newFolder();
  const one = await traced(nothing, folder, storeIn(folder));
  const two = await openTraces(folder, "two", storeIn(folder));
  onTestFinished(() => two.close());
  await one.query(
    `INSERT INTO scores VALUES
      ('r1', NULL, '', 0.1, 'good', 'it''s\n“right”', 'you', '2026-11-22 10:00:00.123456'),
      ('r1', 'r1/3', NULL, 'inf', '[1]', 'null', NULL, 'infinity'),
      ('r1', 'r1/3', NULL, '-inf', '', NULL, NULL, '0044-03-15 (BC)')`,
  );
  const twice = "INSERT INTO scores (run_id, value) VALUES ('twice', 1e300)";
  await one.query(`${twice}, ('twice', 1e300), ('twice', 1e300)`);
  await one.query("INSERT INTO model_contexts VALUES ('m', 9007199254740993)");
  const everything = "SELECT *, ts::VARCHAR AS at FROM scores ORDER BY ALL";
  expect(await two.query(everything)).toEqual(await one.query(everything));
  expect(await two.query("FROM model_contexts")).toEqual([
    { model: "m", context_tokens: "9007199254740993" },
  ]);
  await two.query("DELETE FROM scores WHERE rowid IN (SELECT max(rowid) FROM scores)");
  const counts = "SELECT run_id, count(*)::INTEGER AS n FROM scores GROUP BY ALL ORDER BY ALL";
  expect(await one.query(counts)).toEqual([
    { run_id: "r1", n: 3 },
    { run_id: "twice", n: 2 },
  ]);
});

/** A folder as the layout before left it: its rows in numbered Parquet files. */
function oldFolder(): string {
  const folder = newFolder();
  cpSync(join(import.meta.dirname, "kept"), join(folder, "kept"), { recursive: true });
  return folder;
}

test("what an earlier version kept in Parquet files goes into the store once, whoever comes first", async () => {
  const folder = oldFolder();
  const [one, two] = [
    await traced(nothing, folder, storeIn(folder)),
    await openTraces(folder, "two", storeIn(folder)),
  ];
  onTestFinished(() => two.close());
  const scores = "SELECT run_id, name, value, ts::VARCHAR AS ts FROM scores ORDER BY ALL";
  const expected = [
    { run_id: "r1", name: "exact", value: Number.POSITIVE_INFINITY, ts: null },
    { run_id: "r1", name: "helpful", value: 0.1, ts: "2026-11-22 10:00:00.123456" },
    { run_id: "r2", name: "twice", value: 1, ts: null },
    { run_id: "r2", name: "twice", value: 1, ts: null },
  ];
  const asked = await Promise.all([one.query(scores), two.query(scores)]);
  expect(asked).toEqual([expected, expected]);
  expect(await two.query("SELECT model, output_usd, cached_usd FROM model_prices")).toEqual([
    { model: "rules", output_usd: 10, cached_usd: null },
  ]);
  expect(await one.query("FROM model_contexts")).toEqual([
    { model: "rules", context_tokens: "9007199254740993" },
  ]);
  expect(existsSync(join(folder, "kept"))).toBe(false);
  // Whatever brings the files back, they are of the past.
  await one.query("DELETE FROM scores");
  cpSync(join(import.meta.dirname, "kept"), join(folder, "kept"), { recursive: true });
  const three = await openTraces(folder, "three", storeIn(folder));
  onTestFinished(() => three.close());
  expect(await three.query(scores)).toEqual([]);
  expect([...one.warnings, ...two.warnings, ...three.warnings]).toEqual([]);
});

test("of such files, one that is corrupt is told, and the one before it is taken", async () => {
  const folder = oldFolder();
  const path = join(folder, "kept", "00000004.parquet");
  writeFileSync(path, readFileSync(path).fill(7, 8, 12));
  const traces = await traced(nothing, folder, storeIn(folder));
  expect(await traces.query("SELECT count(*)::INTEGER AS n FROM scores")).toEqual([{ n: 4 }]);
  expect(await traces.query("FROM model_contexts")).toEqual([]);
  expect(traces.warnings.map(({ code }) => code)).toEqual(["M5439"]);
});

test("a session in memory takes no files over", async () => {
  const folder = oldFolder();
  const store = memoryRunStore();
  const traces = await traced(nothing, folder, store);
  await traces.query(insert);
  expect(await traces.query(all)).toEqual([{ run_id: "r", name: "first", value: 1 }]);
  expect(existsSync(join(folder, "kept", "00000004.parquet"))).toBe(true);
});

test("what can't be stored is not written, and said", async () => {
  const folder = newFolder();
  const store = storeIn(folder);
  let isFull = true;
  const writable: Omit<WritableTables, "rowsOf"> = {
    revision: () => store.writable.revision(),
    rows: () => store.writable.rows(),
    replace(from, rows) {
      if (isFull) throw new RunError("M5110", "the disk is full");
      return store.writable.replace(from, rows);
    },
  };
  const traces = await traced(nothing, folder, { writable });
  await expect(traces.query(insert)).rejects.toMatchObject({
    code: "M5438",
    message: "scores and prices could not be written to the store of runs: the disk is full",
  });
  await expect(traces.ask(insert)).rejects.toMatchObject({ code: "M5438" });
  expect(await traces.query(all)).toEqual([]);
  isFull = false;
  await traces.query(insert);
  expect(await traces.query(all)).toHaveLength(1);
  await expect(traces.ask("INSERT INTO scores (nothing) VALUES (1)")).rejects.toMatchObject({
    code: "M6101",
  });
});

test("where the store can't be read, queries go on with what was read last, and it is said once", async () => {
  const folder = newFolder();
  const store = storeIn(folder);
  let isBroken = false;
  const writable: Omit<WritableTables, "rowsOf"> = {
    revision() {
      if (isBroken) throw new RunError("M5100", "it is gone");
      return store.writable.revision();
    },
    rows: () => store.writable.rows(),
    replace: (from, rows) => store.writable.replace(from, rows),
  };
  const traces = await traced(sourceOf([searchRun("r1")]), folder, { writable });
  await traces.query(insert);
  isBroken = true;
  expect(await traces.query(all)).toHaveLength(1);
  expect((await contents(traces)).runs).toHaveLength(1);
  expect(traces.warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
    "M5438 scores and prices could not be copied from the store of runs: it is gone",
  ]);
});
