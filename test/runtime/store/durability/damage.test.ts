/**
 * What a power cut or a bad disk leaves of the write-ahead logs of both files, again and again in each way. The log of runs
 * opens with a beginning of what was stored, or says what to do; traces come to what the log has, whatever became of theirs.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { RunError } from "../../../../runtime/failure.ts";
import type { LogRecord } from "../../../../runtime/records/records.ts";
import { currentOwner } from "../../../../runtime/store/lease.ts";
import { openRunStore } from "../../../../runtime/store/open-store.ts";
import type { RunStore } from "../../../../runtime/store/run-store.ts";
import { workspaceIn } from "../../../../runtime/store/workspace.ts";
import { openTraces, type TraceStore } from "../../../../runtime/trace/trace-store.ts";
import { contents } from "../../trace/store.ts";
import { temporaryFolder } from "../fixtures.ts";
import { record, running } from "../runs.ts";

/** A trace takes a tenth of a second each time: all hundred of them are for `npm run soak`. */
const isSoak = process.env.MADRIGAL_SOAK !== undefined;
const times = { runs: 100, traces: isSoak ? 100 : 25 };

type Damage = (wal: Buffer, at: number) => Buffer;

const damages: Readonly<Record<string, Damage>> = {
  truncated: (wal, at) => wal.subarray(0, at),
  "zero-filled": (wal, at) => Buffer.from(wal).fill(0, at),
  "bit-flipped": (wal, at) => {
    const flipped = Buffer.from(wal);
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 8)), at);
    return flipped;
  },
};

interface Killed {
  readonly runs: Pair;
  readonly traces: Pair;
}

/** A file and its write-ahead log, as the process left them that had them open. */
interface Pair {
  readonly file: string;
  readonly wal: Buffer;
}

let killed: Killed;
let store: RunStore;
let logs: ReadonlyMap<string, readonly LogRecord[]>;
const rows: Record<string, string | number>[] = [];

beforeAll(async () => {
  const home = mkdtempSync(join(tmpdir(), "madrigal-damage-"));
  // It kills itself.
  spawnSync(process.execPath, [join(import.meta.dirname, "../child.ts"), "session", home]);
  const { runsFile, tracesDir } = workspaceIn(home);
  const traces = join(tracesDir, "live-kernel.duckdb");
  killed = {
    runs: { file: `${home}/runs`, wal: readFileSync(`${runsFile}-wal`) },
    traces: { file: `${home}/traces`, wal: readFileSync(`${traces}.wal`) },
  };
  copyFileSync(runsFile, killed.runs.file);
  copyFileSync(traces, killed.traces.file);
  store = openRunStore(runsFile);
  logs = new Map(store.list().map(({ runId }) => [runId, store.read(runId)]));
  return () => {
    store.close();
    rmSync(home, { recursive: true, force: true });
    console.table(rows);
  };
});

test("the killed process has left two whole runs, most of them in the write-ahead logs", () => {
  expect([...logs.values()].map((log) => log.length)).toEqual([62, 82]);
  expect(killed.runs.wal.length).toBeGreaterThan(200_000);
  expect(killed.traces.wal.length).toBeGreaterThan(20_000);
});

describe.each(Object.entries(damages))("a write-ahead log that is %s", (what, damage) => {
  test(`of runs: a beginning of what was stored, ${times.runs} times`, async () => {
    const { file, wal } = killed.runs;
    const folder = temporaryFolder();
    const ends = placesIn(wal, times.runs).map((at, index) => {
      const copy = join(folder, `${index}.sqlite`);
      copyFileSync(file, copy);
      writeFileSync(`${copy}-wal`, damage(wal, at));
      return beginningIn(copy);
    });
    count("runs.sqlite-wal", what, await Promise.all(ends));
    expect(ends).toHaveLength(times.runs);
  });

  test(`of traces: what the log of the runs has, ${times.traces} times`, async () => {
    const { file, wal } = killed.traces;
    const expected = await contents(await traced(temporaryFolder()));
    const ends: string[] = [];
    for (const at of placesIn(wal, times.traces)) {
      const folder = temporaryFolder();
      copyFileSync(file, join(folder, "live-kernel.duckdb"));
      writeFileSync(join(folder, "live-kernel.duckdb.wal"), damage(wal, at));
      const traces = await traced(folder);
      expect(await contents(traces)).toEqual(expected);
      const [warning] = traces.warnings;
      await traces.close();
      ends.push(warning === undefined ? "opened" : `set aside (${warning.code})`);
    }
    count("live-kernel.duckdb.wal", what, ends);
    expect(ends).toHaveLength(times.traces);
  });
});

/** What is left of the runs; that it is a beginning, and goes on. */
async function beginningIn(file: string): Promise<string> {
  let damaged: RunStore | undefined;
  try {
    damaged = openRunStore(file);
    let left = 0;
    for (const { runId } of damaged.list()) {
      const records = damaged.read(runId);
      expect(records).toEqual(logs.get(runId)?.slice(0, records.length));
      left += records.length;
      const log = damaged.open(runId, currentOwner("test"));
      log.append(record(records.length), running);
      await log.close();
      expect(damaged.read(runId)).toHaveLength(records.length + 1);
    }
    return left === 144 ? "whole" : "a beginning";
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    expect(error.hint).not.toBe("");
    return `refused (${error.code})`;
  } finally {
    damaged?.close();
  }
}

async function traced(folder: string): Promise<TraceStore> {
  const traces = await openTraces(folder, "kernel");
  onTestFinished(() => traces.close());
  await traces.ingest(store);
  return traces;
}

/** The same ones each time. */
function placesIn(wal: Buffer, numRuns: number): readonly number[] {
  return fc.sample(fc.integer({ min: 0, max: wal.length - 1 }), { numRuns, seed: 6 });
}

function count(file: string, damage: string, ends: readonly string[]): void {
  const counts = Object.groupBy(ends, (end) => end);
  const found = Object.entries(counts).map(([end, all]) => [end, all?.length ?? 0]);
  rows.push({ file, damage, ...Object.fromEntries(found) });
}
