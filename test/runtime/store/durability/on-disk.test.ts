/** What is acknowledged in `sync` is on the disk, and nobody's thread waits for that; checkpoints are another thread's. */
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ArtifactShelf } from "../../../../runtime/store/artifacts/artifacts.ts";
import { MemoryTables, memoryBlobs } from "../../../../runtime/store/database/memory-tables.ts";
import { newRunRow } from "../../../../runtime/store/database/run-rows.ts";
import { takenLease } from "../../../../runtime/store/lease.ts";
import { GroupCommit } from "../../../../runtime/store/log/group-commit.ts";
import { SegmentLog } from "../../../../runtime/store/log/segment-log.ts";
import { asObjects } from "../../../../runtime/store/log/segments.ts";
import { openRunStore } from "../../../../runtime/store/open-store.ts";
import { errorOf, manualClock, promisesRun, temporaryFolder } from "../fixtures.ts";
import { meta, owner, record, running } from "../runs.ts";

/** A disk that is done when the test says so. */
class SlowTables extends MemoryTables {
  readonly waiting: PromiseWithResolvers<void>[] = [];
  blocked = 0;

  override sync(): Promise<void> {
    const one = Promise.withResolvers<void>();
    this.waiting.push(one);
    return one.promise;
  }

  override syncNow(): void {
    this.blocked += 1;
  }
}

function logOn(tables: SlowTables, runId = "a") {
  const clock = manualClock();
  const blobs = memoryBlobs(clock);
  const group = new GroupCommit({
    tables,
    blobs,
    clock,
    shelf: new ArtifactShelf({ tables, blobs, clock }),
  });
  const lease = takenLease(runId, owner("one"), { now: 0, before: undefined });
  const start = { ...newRunRow(meta(runId)), lease };
  const options = { runId, durability: "sync", epoch: lease.epoch, lastSeq: -1, start } as const;
  const parts = { group, form: asObjects, clock, atHand: undefined, onClosed: () => {} };
  return { group, log: new SegmentLog(options, parts) };
}

function isOver(promise: Promise<void>): () => boolean {
  let over = false;
  const end = () => {
    over = true;
  };
  promise.then(end, end);
  return () => over;
}

test("a flush is over when the disk is, and what came meanwhile waits for the next time", async () => {
  const tables = new SlowTables();
  const { log } = logOn(tables);
  log.append(record(0), running);
  const first = log.flush();
  const isFirstOver = isOver(first);
  await promisesRun();
  log.append(record(1), running);
  const second = log.flush();
  const isSecondOver = isOver(second);
  await promisesRun();
  expect([isFirstOver(), log.flushedSeq, tables.waiting.length]).toEqual([false, -1, 2]);
  tables.waiting[0]?.resolve();
  await first;
  expect([log.flushedSeq, isSecondOver()]).toEqual([0, false]);
  tables.waiting[1]?.resolve();
  await second;
  expect(log.flushedSeq).toBe(1);
});

test("a flush of what is stored and not on the disk waits for that too", async () => {
  const tables = new SlowTables();
  const { log } = logOn(tables);
  log.append(record(0), running);
  void log.flush();
  await promisesRun();
  const isAgainOver = isOver(log.flush());
  await promisesRun();
  expect([isAgainOver(), tables.waiting.length]).toEqual([false, 1]);
  tables.waiting[0]?.resolve();
  await promisesRun();
  expect(isAgainOver()).toBe(true);
});

test("a disk that fails fails the log, and nothing counts as stored", async () => {
  const tables = new SlowTables();
  const { log } = logOn(tables);
  log.append(record(0), running);
  const flushed = log.flush();
  await promisesRun();
  tables.waiting[0]?.reject(Object.assign(new Error("EIO: i/o error"), { code: "EIO" }));
  expect(await errorOf(() => flushed)).toContain("M5110");
  expect(log.flushedSeq).toBe(-1);
  expect(await errorOf(() => log.append(record(1), running))).toContain("M5110");
});

test("who closes a store is held up until the disk has everything", async () => {
  const tables = new SlowTables();
  const { group, log } = logOn(tables);
  log.append(record(0), running);
  void log.flush();
  await promisesRun();
  log.shutNow();
  group.drain([log]);
  expect(tables.blocked).toBe(1);
});

test("the write-ahead log is copied into the file by another thread while the store is open", async () => {
  const file = join(temporaryFolder(), "runs.sqlite");
  const store = openRunStore(file);
  onTestFinished(() => store.close());
  const log = store.create(meta("a"), owner("one", { pid: process.pid }));
  // Texts that compression can't shorten by more than a half.
  const text = () => randomBytes(4_000).toString("hex");
  for (let seq = 0; seq < 6_000; seq += 1) log.append(record(seq, text()), running);
  await log.flush();
  // Nothing but the thread has copied: the store itself does so when it is closed.
  await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(4_000_000), 30_000);
  log.append(record(6_000), running);
  await log.close();
  expect(store.read("a")).toHaveLength(6_001);
});
