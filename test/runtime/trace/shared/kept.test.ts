/** Scores, prices and lengths of contexts: what one process writes, every other has, while both live. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { openTraces } from "../../../../runtime/trace/trace-store.ts";
import { searchRun, sourceOf } from "../sample.ts";
import { newFolder, traced } from "../store.ts";

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
  const traces = await traced(sourceOf([searchRun("r1")]), folder);
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
  const third = await traced(nothing, folder);
  expect(await third.query("SELECT model FROM model_prices")).toEqual([{ model: "rules" }]);
  expect(traces.warnings).toEqual([]);
}, 30_000);

test("who writes at once loses nothing and counts nothing twice", async () => {
  const folder = newFolder();
  const other = await otherProcess(folder);
  const [one, two] = [await traced(nothing, folder), await openTraces(folder, "two")];
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
  expect(readdirSync(join(folder, "kept")).length).toBeLessThan(4);
  await two.close();
}, 30_000);

test("a file of them that was changed is set aside, and who has its rows writes them anew", async () => {
  const folder = newFolder();
  const one = await traced(nothing, folder);
  await one.query("INSERT INTO scores (run_id, name, value) VALUES ('r', 'first', 1)");
  const path = join(folder, "kept", "00000001.parquet");
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(7, 8, 12));
  const two = await openTraces(folder, "two");
  onTestFinished(() => two.close());
  expect(await two.query(all)).toEqual([]);
  expect(two.warnings.map(({ code }) => code)).toEqual(["M5439"]);
  expect(await one.query(all)).toHaveLength(1);
  expect(await two.query(all)).toHaveLength(1);
  // Deleted, the folder comes back from those who have it.
  rmSync(join(folder, "kept"), { recursive: true });
  expect(await two.query(all)).toHaveLength(1);
  const three = await traced(nothing, folder);
  expect(await three.query(all)).toHaveLength(1);
});

test("what can't be shared is not written, and said", async () => {
  const folder = newFolder();
  const traces = await traced(nothing, folder);
  writeFileSync(join(folder, "kept"), "in the way");
  const insert = "INSERT INTO scores (run_id, name, value) VALUES ('r', 'first', 1)";
  await expect(traces.query(insert)).rejects.toMatchObject({ code: "M5438" });
  await expect(traces.ask(insert)).rejects.toMatchObject({ code: "M5438" });
  expect(await traces.query(all)).toEqual([]);
  rmSync(join(folder, "kept"));
  await traces.query(insert);
  expect(await traces.query(all)).toHaveLength(1);
  await expect(traces.ask("INSERT INTO scores (nothing) VALUES (1)")).rejects.toMatchObject({
    code: "M6101",
  });
});
