/** Few files of many, traces that are taken away, and what dead processes have left. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRunStore } from "../../../../runtime/store/open-store.ts";
import type { RunMeta } from "../../../../runtime/store/run-store.ts";
import { openTraces, type TraceStore } from "../../../../runtime/trace/trace-store.ts";
import { running } from "../../store/runs.ts";
import { failedRun, NOON, type SampleRun, searchRun, sourceOf } from "../sample.ts";
import { contents, newFolder, storeIn, traced } from "../store.ts";

const DAY_MS = 86_400_000;
const samples = [
  searchRun("r1"),
  failedRun("r2"),
  searchRun("r3", NOON + DAY_MS),
  failedRun("r4", NOON + 40 * DAY_MS),
];
const source = sourceOf(samples);
const nothing = sourceOf([]);

/** Each of them written by a process of its own: a file each. */
async function apart(folder: string, runs: readonly SampleRun[] = samples): Promise<void> {
  const traces = await openTraces(folder, "other");
  for (const run of runs) {
    await traces.ingest(sourceOf([run]));
    await traces.share();
  }
  await traces.close();
}

const filesIn = (folder: string) => readdirSync(join(folder, "runs")).sort();

/** Another process's eyes. */
async function seenIn(folder: string) {
  const traces = await openTraces(folder, `eyes-${Math.random()}`);
  const seen = await contents(traces);
  await traces.close();
  return seen;
}

const known = new Map<readonly SampleRun[], Awaited<ReturnType<typeof contents>>>();

/** The rows of runs that one process has traced alone. */
async function expected(runs: readonly SampleRun[] = samples) {
  const rows = known.get(runs) ?? (await contents(await traced(sourceOf(runs))));
  known.set(runs, rows);
  return rows;
}

test.each(["run_id=none", "[abc]*", "it's {a,b}", "100%20 #h"])(
  "files in a folder called `%s` have the rows of any other",
  async (name) => {
    const folder = join(newFolder(), name);
    mkdirSync(folder);
    await apart(folder);
    const traces = await traced(nothing, folder);
    expect(await contents(traces)).toEqual(await expected());
    expect(await traces.compact()).toMatchObject({ runs: 4, filesAfter: 2 });
    expect(await contents(traces)).toEqual(await expected());
    expect(traces.warnings).toEqual([]);
  },
);

test("compacted, the files are one a month, with the same rows; once more changes nothing", async () => {
  const folder = newFolder();
  await apart(folder);
  const traces = await traced(nothing, folder);
  expect(await traces.compact({ isTrial: true })).toMatchObject({ filesBefore: 4, filesAfter: 2 });
  expect(await traces.compact()).toMatchObject({ runs: 4, filesBefore: 4, filesAfter: 2 });
  const names = filesIn(folder);
  expect(names.map((name) => name.slice(0, 12))).toEqual(["many-2026-03", "r4.parquet"]);
  expect(await contents(traces)).toEqual(await expected());
  expect(await seenIn(folder)).toEqual(await expected());
  expect(await traces.compact()).toMatchObject({ filesBefore: 2, filesAfter: 2 });
  expect(filesIn(folder)).toEqual(names);
});

test("two compact at once, and a third asks meanwhile: nothing is lost, nothing is there twice", async () => {
  const folder = newFolder();
  await apart(folder);
  const [one, two, asks] = [
    await openTraces(folder, "one"),
    await openTraces(folder, "two"),
    await traced(nothing, folder),
  ];
  const answers: unknown[] = [];
  await Promise.all([
    one.compact(),
    two.compact(),
    (async () => {
      for (let at = 0; at < 10; at += 1) {
        answers.push(...(await asks.query("SELECT count(*) AS n FROM runs")));
      }
    })(),
  ]);
  expect(answers).toEqual(Array(10).fill({ n: 4 }));
  await one.compact();
  await one.close();
  await two.close();
  expect(filesIn(folder)).toHaveLength(2);
  expect(await seenIn(folder)).toEqual(await expected());
});

test("a run that was deleted is in no file any more, also in one of many", async () => {
  const folder = newFolder();
  const store = openRunStore(join(newFolder(), "runs.sqlite"));
  for (const { meta, records } of samples) {
    const full = { durability: "async", createdAt: 0, ...meta } as RunMeta;
    store.restore({ meta: full, summary: running, records });
  }
  const first = await openTraces(folder, "first");
  await first.ingest(store);
  await first.compact();
  await first.close();
  store.delete("r1");
  store.delete("r4");
  const traces = await traced(store, folder);
  await traces.share();
  const left = samples.slice(1, 3);
  expect(await runsOf(traces)).toEqual(["r2", "r3"]);
  expect(filesIn(folder)).toHaveLength(1);
  expect((await seenIn(folder)).events).toEqual((await expected(left)).events);
  store.close();
});

const runsOf = async (traces: TraceStore) =>
  (await traces.query("SELECT run_id FROM runs ORDER BY run_id")).map((row) => row.run_id);

test("pruned traces are gone for every process and stay so; a rebuild brings them back", async () => {
  const folder = newFolder();
  await apart(folder);
  const [one, two] = [await traced(source, folder), await openTraces(folder, "two")];
  await two.rebuild(source);
  const old = { olderThanMs: 0, keep: 1 };
  const trial = await one.prune({ ...old, isTrial: true });
  expect(trial.runIds).toEqual(["r1", "r2", "r3"]);
  expect(await runsOf(one)).toHaveLength(4);
  expect(await one.prune(old)).toMatchObject({ runIds: trial.runIds });
  for (const traces of [one, two]) {
    expect(await traces.ingest(source)).toBe(0);
    expect(await runsOf(traces)).toEqual(["r4"]);
  }
  expect(filesIn(folder).filter((name) => name.endsWith(".parquet"))).toEqual(["r4.parquet"]);
  await one.rebuild(source);
  expect(await contents(one)).toEqual(await expected());
  await two.close();
});

test("a pruned run that goes on is traced", async () => {
  const folder = newFolder();
  const longer = sourceOf([searchRun("r1")]);
  longer.show("r1", 20);
  const traces = await traced(longer, folder);
  longer.show("r1", 22);
  await traces.ingest(longer);
  await traces.prune({ olderThanMs: 0 });
  expect(await runsOf(traces)).toEqual([]);
  const on = sourceOf([
    {
      ...searchRun("r1"),
      records: [
        ...searchRun("r1").records,
        { ...samples[1]?.records[1], seq: 23, at: NOON + 9_000 } as never,
      ],
    },
  ]);
  await traces.ingest(on);
  expect(await runsOf(traces)).toEqual(["r1"]);
});

test("prune takes files that were set aside, when they are old enough", async () => {
  const folder = newFolder();
  const aside = join(folder, "live-x.duckdb.corrupt-1");
  const traces = await traced(source, folder);
  writeFileSync(aside, "x".repeat(10));
  expect(await traces.prune({ olderThanMs: DAY_MS * 10_000 })).toEqual({
    runIds: [],
    files: [],
    bytes: 0,
  });
  expect((await traces.prune({ olderThanMs: -DAY_MS, keep: 9 })).files).toEqual([aside]);
  expect(existsSync(aside)).toBe(false);
});

const child = join(import.meta.dirname, "child.ts");

test("what a dead process has left is taken over, with what people wrote; a living one keeps its file", async () => {
  const [folder, home] = [newFolder(), newFolder()];
  const first = await openTraces(folder, "first", storeIn(home));
  await first.ingest(source);
  await first.query("INSERT INTO scores (run_id, name, value) VALUES ('r1', 'good', 0.5)");
  await first.close();
  const holder = spawn(process.execPath, [child, folder, "hold", "10"]);
  await once(holder.stdout, "data");
  const traces = await openTraces(folder, "heir", storeIn(home));
  expect(await traces.takeOver()).toBe(1);
  expect(existsSync(join(folder, "live-first.duckdb"))).toBe(false);
  expect(existsSync(join(folder, "live-kernel.duckdb"))).toBe(true);
  expect(await traces.query("SELECT run_id, value FROM scores")).toEqual([
    { run_id: "r1", value: 0.5 },
  ]);
  expect(await contents(traces)).toEqual(await expected());
  // Killed, it leaves a run that has not ended.
  holder.kill("SIGKILL");
  await once(holder, "exit");
  expect(await traces.takeOver()).toBe(1);
  expect(readdirSync(folder).filter((name) => !/^live-heir/.test(name))).toEqual(["runs"]);
  expect(await runsOf(traces)).toEqual(["r1", "r2", "r3", "r4"]);
  await traces.close();
});

const churn = join(import.meta.dirname, "churn.ts");

test("killed while it makes traces anew, compacts and prunes them, a process loses nothing and leaves nothing twice", async () => {
  const folder = newFolder();
  const ids = Array.from({ length: 9 }, (_, at) => `k${at}`);
  const runs = ids.map((id) => failedRun(id));
  const other = spawn(process.execPath, [churn, folder, ids.join()]);
  let said = 0;
  for await (const chunk of other.stdout) {
    said += String(chunk).length;
    // Somewhere in what comes next.
    if (said > 4) setTimeout(() => other.kill("SIGKILL"), 12);
  }
  const traces = await openTraces(folder, "eyes");
  await traces.takeOver();
  const twice = "SELECT run_id FROM run_log GROUP BY run_id HAVING count(*) > 1";
  expect(await traces.query(twice)).toEqual([]);
  await traces.rebuild(sourceOf(runs));
  expect(await contents(traces)).toEqual(await expected(runs));
  expect(traces.warnings).toEqual([]);
  await traces.close();
  expect(readdirSync(folder).filter((name) => !name.startsWith("live-eyes"))).toEqual(["runs"]);
  expect(filesIn(folder).filter((name) => !/^k\d\.parquet$/.test(name))).toEqual([]);
});
