import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  IN_MEMORY,
  openDatabase,
  type TraceDatabase,
} from "../../../../runtime/trace/database/database.ts";
import { Ingester } from "../../../../runtime/trace/ingest/ingest.ts";
import { openTraces } from "../../../../runtime/trace/trace-store.ts";
import { failedRun, metaOf, NOON, type SampleRun, searchRun, sourceOf } from "../sample.ts";
import { contents, newFolder, traced } from "../store.ts";

/** For tests that open many files or start processes. */

const runs: readonly SampleRun[] = [
  searchRun("r1"),
  failedRun("r2", NOON + 700),
  searchRun("r3", NOON + 900),
];

test("reading again what was read changes nothing", async () => {
  const source = sourceOf(runs);
  const traces = await traced(source);
  const before = await contents(traces);
  expect(await traces.ingest(source)).toBe(0);
  expect(await contents(traces)).toEqual(before);
  expect(before.graphs).toHaveLength(1);
});

test("passes that overlap read each record once", async () => {
  const source = sourceOf(runs);
  const traces = await openTraces(newFolder(), "kernel");
  const counts = await Promise.all([1, 2, 3].map(() => traces.ingest(source)));
  expect(counts).toEqual([48, 0, 0]);
  expect(await contents(traces)).toEqual(await contents(await traced(source)));
  await traces.close();
});

test("law: read in pieces, with restarts between, gives the rows of one pass", async () => {
  const whole = await contents(await traced(sourceOf(runs)));
  const length = (index: number) => runs[index]?.records.length ?? 0;
  const piece = fc.record({
    shown: fc.tuple(...runs.map((_, index) => fc.nat({ max: length(index) }))),
    restart: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 4 }), async (pieces) => {
      const folder = newFolder();
      const source = sourceOf(runs);
      const reached = runs.map(() => 0);
      let traces = await openTraces(folder, "kernel");
      for (const { shown, restart } of pieces) {
        for (const [index, run] of runs.entries()) {
          // A log only grows.
          reached[index] = Math.max(reached[index] ?? 0, shown[index] ?? 0);
          source.show(run.meta.runId, reached[index] ?? 0);
        }
        await traces.ingest(source);
        if (!restart) continue;
        await traces.close();
        traces = await openTraces(folder, "kernel");
      }
      for (const [index, run] of runs.entries()) source.show(run.meta.runId, length(index));
      await traces.ingest(source);
      expect(await contents(traces)).toEqual(whole);
      expect(traces.warnings).toEqual([]);
      await traces.close();
    }),
    { numRuns: 8 },
  );
});

test("a process killed after a pass leaves what it read, and the next goes on from there", async () => {
  const folder = newFolder();
  const child = join(import.meta.dirname, "../shared/child.ts");
  for (const count of ["3", "11", "17"]) {
    const { signal } = spawnSync(process.execPath, [child, folder, "die", count]);
    expect(signal).toBe("SIGKILL");
  }
  const run = [searchRun("r1")];
  const traces = await traced(sourceOf(run), folder);
  expect(traces.warnings).toEqual([]);
  expect(await contents(traces)).toEqual(await contents(await traced(sourceOf(run))));
});

test.each(["BEGIN", "COMMIT"])(
  "rows whose %s fails are read again by the next pass",
  async (statement) => {
    const database = await openDatabase(IN_MEMORY);
    if ("kind" in database) throw new Error(database.message);
    const faults = { left: 1 };
    const ingester = new Ingester(failingOnce(database, statement, faults), (value) => value);
    await ingester.start();
    const source = sourceOf(runs);
    await expect(ingester.ingestOnce(source)).rejects.toThrow("the disk is full");
    expect((await database.reader.runAndReadAll("FROM event_log")).currentRowCount).toBe(0);
    expect(await ingester.ingestOnce(source)).toEqual({ records: 48, failures: [] });
    const { currentRowCount } = await database.reader.runAndReadAll("FROM event_log");
    expect(currentRowCount).toBe((await contents(await traced(source))).events?.length);
    database.close();
  },
);

test("a long log is written in several transactions: what fails leaves a beginning, and is read on from there", async () => {
  const { meta, records } = searchRun("r1");
  const last = records.length - 1;
  // The same retried search over and over.
  const long = Array.from({ length: 200 }, () => records.slice(1, last)).flat();
  const all = [...records.slice(0, 1), ...long, ...records.slice(last)];
  const run = {
    meta,
    records: all.map((record, index) => ({ ...record, seq: index, at: NOON + index })),
  };
  const database = await openDatabase(IN_MEMORY);
  if ("kind" in database) throw new Error(database.message);
  const faults = { left: 1, after: 1 };
  const ingester = new Ingester(failingOnce(database, "BEGIN", faults), (value) => value);
  await ingester.start();
  const source = sourceOf([run]);
  const written = async () => {
    const sql = "SELECT max(seq), (SELECT max(last_seq) FROM run_log), count(*) FROM event_log";
    return (await database.reader.runAndReadAll(sql)).getRowsJS()[0]?.map(Number);
  };
  await expect(ingester.ingestOnce(source)).rejects.toThrow("the disk is full");
  const [seq = 0, position, rows = 0] = (await written()) ?? [];
  expect(position).toBe(seq);
  expect(rows).toBeGreaterThan(4_000);
  expect(seq).toBeLessThan(all.length - 1);
  expect(await ingester.ingestOnce(source)).toEqual({
    records: all.length - 1 - seq,
    failures: [],
  });
  expect((await contents(await traced(source))).events).toHaveLength((await written())?.[2] ?? 0);
  database.close();
});

/** A database in which one statement fails once. */
function failingOnce(
  database: TraceDatabase,
  statement: string,
  faults: { left: number; after?: number },
): TraceDatabase {
  const writer = new Proxy(database.writer, {
    get(target, name) {
      if (name === "run") {
        return (...args: Parameters<DuckDBConnection["run"]>) => {
          if (args[0] !== statement || faults.left === 0) return target.run(...args);
          faults.after = (faults.after ?? 0) - 1;
          if (faults.after >= 0) return target.run(...args);
          faults.left -= 1;
          return Promise.reject(new Error("the disk is full"));
        };
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return { ...database, writer };
}

test("a log that went on differently after a power failure is read anew", async () => {
  const folder = newFolder();
  const source = sourceOf([searchRun("r1")]);
  source.show("r1", 17);
  await (await traced(source, folder)).close();
  const other = searchRun("r1", NOON + 1);
  const traces = await traced(sourceOf([other]), folder);
  expect(await contents(traces)).toEqual(await contents(await traced(sourceOf([other]))));
});

test("a log that is behind its trace is read anew", async () => {
  const source = sourceOf([searchRun("r1")]);
  const traces = await traced(source);
  source.show("r1", 7);
  await traces.ingest(source);
  expect(await contents(traces)).toEqual(await contents(await traced(source)));
});

test("the rows of a deleted run go, and come again with the run", async () => {
  const source = sourceOf(runs);
  const traces = await traced(source);
  const before = await contents(traces);
  const [, ...others] = runs;
  await traces.ingest({ ...sourceOf(others), deleted: () => ["r1", "never-seen"] });
  expect(await contents(traces)).toEqual(await contents(await traced(sourceOf(others))));
  await traces.ingest(source);
  expect(await contents(traces)).toEqual(before);
});

test("a run that can't be read holds up no other, and is told once", async () => {
  const source = sourceOf(runs);
  const broken = {
    ...source,
    meta(runId: string) {
      if (runId === "r2") throw new Error("segment 3 is not JSON");
      return source.meta(runId);
    },
  };
  const traces = await traced(broken);
  await traces.ingest(broken);
  expect(traces.warnings).toEqual([
    {
      code: "M6005",
      message: "the log of run r2 was not traced: segment 3 is not JSON",
      hint: "the runs are not touched; `madrigal trace rebuild` makes the traces anew",
    },
  ]);
  expect(await traces.query("SELECT run_id FROM runs ORDER BY run_id")).toEqual([
    { run_id: "r1" },
    { run_id: "r3" },
  ]);
  await traces.ingest(source);
  expect(await contents(traces)).toEqual(await contents(await traced(source)));
});

test("a source that throws is a warning, not an error", async () => {
  const traces = await traced(sourceOf([]));
  const source = {
    ...sourceOf([]),
    positions: () => {
      throw new Error("runs.sqlite is gone");
    },
  };
  expect(await traces.ingest(source)).toBe(0);
  expect(traces.warnings.map(({ message }) => message)).toEqual([
    "what is new in the logs was not traced: runs.sqlite is gone",
  ]);
});

test("rebuild gives the same rows, and leaves what people wrote", async () => {
  const source = sourceOf(runs);
  const traces = await traced(source);
  const before = await contents(traces);
  await traces.query("INSERT INTO scores (run_id, name, value) VALUES ('r1', 'good', 1)");
  await traces.query("DELETE FROM event_log WHERE run_id = 'r1'");
  expect(await traces.rebuild(source)).toBe(48);
  expect(await contents(traces)).toEqual(before);
  expect(await traces.query("SELECT name, value FROM scores")).toEqual([
    { name: "good", value: 1 },
  ]);
});

test("a failed run that goes on is running again, and its rows stay", async () => {
  const failed = failedRun("r2");
  const resumed = { seq: 5, at: NOON + 9_000, kind: "control", verb: "resume" } as const;
  const source = sourceOf([{ ...failed, records: [...failed.records, resumed] }]);
  source.show("r2", 4);
  const traces = await traced(source);
  const status = () => traces.query("SELECT status, reason, error_code, dur_us FROM runs");
  expect(await status()).toEqual([
    { status: "failed", reason: "limit:usd", error_code: "M9000", dur_us: 300_000 },
  ]);
  source.show("r2", 5);
  expect(await traces.ingest(source)).toBe(1);
  expect(await status()).toEqual([
    { status: "running", reason: null, error_code: null, dur_us: null },
  ]);
});

test("more rows than a chunk, a batch and a checkpoint hold", async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => searchRun(`r${index}`, NOON + index));
  const traces = await traced(sourceOf(many));
  expect(
    await traces.query("SELECT count(*) AS n, count(DISTINCT run_id) AS runs FROM events"),
  ).toEqual([{ n: 2_000 * 34, runs: 2_000 }]);
  expect(traces.warnings).toEqual([]);
});

/** A run whose state begins with these values. */
function runWith(state: Record<string, unknown>): SampleRun {
  const record = { kind: "run", input: state, state, flow: [], writes: [], patches: [] } as const;
  return { meta: metaOf("r1"), records: [{ seq: 1, at: NOON, ...record }] };
}

test("what is too big is cut, and the cut says how big it was", async () => {
  const traces = await traced(sourceOf([runWith({ page: "é".repeat(40_000), title: "small" })]));
  const [row] = await traces.query("SELECT input FROM runs");
  const blob = expect.stringMatching(/^[\da-f]{64}$/);
  expect(row?.input).toEqual({
    page: { $cut: 80_002, head: `"${"é".repeat(4_095)}`, blob },
    title: "small",
  });
  const changes = await traces.query(
    "SELECT field, value->'$.$cut' AS cut FROM state_changes ORDER BY place",
  );
  expect(changes).toEqual([
    { field: "page", cut: 80_002 },
    { field: "title", cut: null },
  ]);
});

test("half a surrogate pair and a NUL in a text do not break the queries over it", async () => {
  const traces = await traced(
    sourceOf([runWith({ odd: "a\ud800b\u0000c", "k\udc00": "\\ud800" })]),
  );
  const rows = await traces.query("SELECT field, value FROM state_changes ORDER BY place");
  expect(rows).toEqual([
    { field: "odd", value: "a\ufffdb\u0000c" },
    { field: "k\ufffd", value: "\\ud800" },
  ]);
  expect(await traces.query("SELECT input FROM runs")).toHaveLength(1);
});

test("secrets are hidden in payloads, writes and patches, under their own names", async () => {
  const hide = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(hide);
    const entries = Object.entries(value).map(([key, part]) =>
      key === "api_key" ? [key, { $secret: key }] : [key, hide(part)],
    );
    return Object.fromEntries(entries);
  };
  const traces = await openTraces(newFolder(), "kernel", { redact: hide });
  await traces.ingest(sourceOf([runWith({ api_key: "sk-123", name: "n" })]));
  const everything = JSON.stringify(await contents(traces));
  expect(everything).not.toContain("sk-123");
  expect(await traces.query("SELECT value FROM state_changes ORDER BY place")).toEqual([
    { value: { $secret: "api_key" } },
    { value: "n" },
  ]);
  await traces.close();
});
