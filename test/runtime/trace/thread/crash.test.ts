/** The thread of the traces dies: another one takes its place, nothing is lost, and it is told once. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { memoryRunStore } from "../../../../runtime/store/open-store.ts";
import { searchRun, sourceOf } from "../sample.ts";
import { contents, newFolder, storeIn, traced } from "../store.ts";
import { threaded } from "./thread.ts";

const source = sourceOf([searchRun("a"), searchRun("b")]);

test("what it had traced is there again, and people are told once", async () => {
  const folder = newFolder();
  const { traces, kill, started } = await threaded(memoryRunStore(), folder);
  await traces.ingest(source);
  const before = await contents(traces);
  const { file } = traces;
  await kill();
  expect(started()).toBe(1);
  await traces.ingest(source);
  expect(started()).toBe(2);
  expect(await contents(traces)).toEqual(before);
  expect(traces.file).not.toBe(file);
  await kill();
  await traces.ingest(source);
  expect(await contents(traces)).toEqual(before);
  expect(traces.warnings.map(({ code }) => code)).toEqual(["M6006"]);
  expect(traces.warnings[0]?.hint).toContain("made anew from the logs");
  await traces.close();
  // The next process finds a file of each thread, and no damage.
  const next = await traced(source, folder);
  expect(await next.takeOver()).toBe(2);
  expect(await contents(next)).toEqual(before);
  expect(next.warnings).toEqual([]);
});

const LONG = `
SELECT count(*)
FROM range(30000000) a`;

test("a question that is under way is asked of the next thread", async () => {
  const { traces, kill, started } = await threaded(memoryRunStore(), newFolder());
  await traces.ingest(source);
  const passes = [traces.ingest(source), traces.ingest(source)];
  const asked = traces.query(LONG);
  await kill();
  expect(await asked).toEqual([{ "count_star()": 30_000_000 }]);
  await Promise.all(passes);
  expect(started()).toBe(2);
});

test("a statement that writes is not run twice: it fails, and says what to look at", async () => {
  const store = storeIn(newFolder());
  const { traces, kill } = await threaded(store, newFolder());
  const sql = "INSERT INTO scores (run_id, name, value) VALUES ('a', 'good', 1)";
  const asked = traces.ask(sql).catch((error: unknown) => error);
  await kill();
  expect(await asked).toMatchObject({ code: "M6006", sql, hint: /has your rows|have your rows/ });
  expect(store.writable.rows().scores.length).toBeLessThan(2);
  await traces.ask(sql);
  expect(store.writable.rows().scores.length).toBeGreaterThan(0);
});

test("a thread that dies again and again is given up, which runs do not notice", async () => {
  const { traces, kill, started } = await threaded(memoryRunStore(), newFolder());
  for (let death = 1; death <= 6; death += 1) {
    await traces.ingest(source);
    await kill();
  }
  expect(await traces.ingest(source)).toBe(0);
  expect(await traces.query("SELECT 1").catch((error: unknown) => error)).toMatchObject({
    code: "M6006",
  });
  expect(started()).toBe(6);
  expect(traces.warnings.at(-1)?.hint).toContain("not started again");
});

test("a process whose traces are open ends by itself, and by process.exit in the middle of questions", () => {
  const index = new URL("../../../../runtime/index.ts", import.meta.url);
  const asking = `
    for (let n = 0; n < 20; n += 1) void traces.query("SELECT count(*) FROM range(3000000)");
    await traces.query("SELECT 1");`;
  for (const end of ["", "process.exit(0);", `${asking} process.exit(0);`]) {
    const script = `
      const { Session } = await import(${JSON.stringify(index)});
      const session = new Session({ env: { MADRIGAL_HOME: ${JSON.stringify(newFolder())} } });
      const traces = await session.traces();
      console.log(await traces.query("SELECT 1 AS one"));
      ${end}`;
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ["--input-type=module", "-e", script],
      { encoding: "utf8" },
    );
    expect({ stdout, stderr, status }).toEqual({
      stdout: "[ { one: 1 } ]\n",
      stderr: "",
      status: 0,
    });
  }
});
