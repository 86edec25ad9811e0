/** Files of large values and artifacts: other threads bring them to the disk, before the records that name them. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  type PathLike,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { fileBlobs } from "../../../runtime/store/artifacts/file-blobs.ts";
import { currentOwner } from "../../../runtime/store/lease.ts";
import { openRunStore } from "../../../runtime/store/open-store.ts";
import { writeRunFile } from "../../../runtime/store/transfer/run-file.ts";
import { exportedRun } from "../../../runtime/store/transfer/transfer.ts";
import { errorOf, temporaryFolder } from "./fixtures.ts";
import { meta, record, running } from "./runs.ts";

/** What was synced by whom, and what is to go wrong. */
const disk = vi.hoisted(() => ({
  here: 0,
  elsewhere: 0,
  fault: undefined as Error | undefined,
  held: undefined as Promise<void> | undefined,
}));

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return {
    ...fs,
    fsyncSync(descriptor: number) {
      disk.here += 1;
      fs.fsyncSync(descriptor);
    },
    fsync(descriptor: number, done: (error: Error | null) => void) {
      disk.elsewhere += 1;
      const { fault, held = Promise.resolve() } = disk;
      void held.then(() => (fault === undefined ? fs.fsync(descriptor, done) : done(fault)));
    },
  };
});

afterEach(() => {
  Object.assign(disk, { here: 0, elsewhere: 0, fault: undefined, held: undefined });
});

const big = "x".repeat(300_000);
const clock = { now: () => 1_000_000 };
const [HASH, OTHER] = ["a".repeat(64), "b".repeat(64)];
const bytes = new TextEncoder().encode("some bytes");

function storeIn(folder = temporaryFolder()) {
  const store = openRunStore(join(folder, "runs.sqlite"));
  const log = store.create(meta("a"), currentOwner("test"));
  return { folder, store, log };
}

function filesIn(folder: string): readonly string[] {
  const files = readdirSync(join(folder, "artifacts"), { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile()).map(({ name }) => name);
}

test("a record waits for its large value, and this thread for neither", async () => {
  const { folder, store, log } = storeIn();
  const held = Promise.withResolvers<void>();
  disk.held = held.promise;
  log.append(record(0, big), running);
  const flushed = log.flush();
  await vi.waitFor(() => expect(disk.elsewhere).toBe(1));
  // Readable already, and named by nothing.
  expect(filesIn(folder)).toHaveLength(1);
  expect([store.read("a"), log.flushedSeq]).toEqual([[], -1]);
  log.append(record(1, "meanwhile"), running);
  held.resolve();
  await flushed;
  expect(store.read("a")).toHaveLength(2);
  expect(disk.here).toBe(0);
  await log.close();
  store.close();
});

test("a record waits for the artifacts that were put before it", async () => {
  const { store, log } = storeIn();
  const held = Promise.withResolvers<void>();
  disk.held = held.promise;
  const { hash } = store.artifacts.put(bytes, { kind: "file", mime: "a/b" });
  expect(store.artifacts.get(hash)).toEqual(Buffer.from(bytes));
  log.append(record(0, hash), running);
  const flushed = log.flush();
  await new Promise((resolve) => setImmediate(resolve));
  expect(store.read("a")).toEqual([]);
  held.resolve();
  await flushed;
  expect([store.read("a").length, disk.here]).toEqual([1, 0]);
  await log.close();
  store.close();
});

test("a file that can't be brought to the disk fails the flush, and is written anew by the next run", async () => {
  const { folder, store, log } = storeIn();
  disk.fault = Object.assign(new Error("EIO: i/o error, fsync"), { code: "EIO" });
  log.append(record(0, big), running);
  expect(await errorOf(() => log.flush())).toContain("M5110");
  expect([store.read("a"), filesIn(folder)]).toEqual([[], []]);
  disk.fault = undefined;
  await errorOf(() => log.close());
  const again = store.open("a", currentOwner("test"));
  again.append(record(0, big), running);
  await again.close();
  expect(store.read("a")).toEqual([record(0, big)]);
  store.close();
});

test("who closes a store waits for what is not on the disk yet", () => {
  const { store, log } = storeIn();
  log.append(record(0, big), running);
  store.close();
  // The file, and the folder that has its name.
  expect(disk.here).toBe(2);
});

test("what a power cut left of a file is not taken for it", async () => {
  const folder = join(temporaryFolder(), "artifacts");
  fileBlobs(folder, clock).put(HASH, bytes);
  const path = join(folder, HASH.slice(0, 2), HASH);
  for (const left of ["", "some", "\0".repeat(bytes.length)]) {
    writeFileSync(path, left);
    const blobs = fileBlobs(folder, clock);
    blobs.put(HASH, bytes);
    expect(blobs.get(HASH)).toEqual(Buffer.from(bytes));
    await blobs.synced();
  }
});

test("what another process has put is not written again, but synced, and counts as put now", async () => {
  const folder = join(temporaryFolder(), "artifacts");
  const first = fileBlobs(folder, clock);
  first.put(HASH, bytes);
  await first.synced();
  const path: PathLike = join(folder, HASH.slice(0, 2), HASH);
  const { ino } = statSync(path);
  const second = fileBlobs(folder, { now: () => 2_000_000 });
  second.put(HASH, bytes);
  expect(disk.elsewhere).toBe(2);
  await second.synced();
  second.put(HASH, bytes);
  expect([second.synced(), disk.elsewhere]).toEqual([undefined, 2]);
  expect([statSync(path).ino, statSync(path).mtimeMs]).toEqual([ino, 2_000_000]);
});

test("many at once are all there, and the last ones are waited for", async () => {
  const folder = join(temporaryFolder(), "artifacts");
  const blobs = fileBlobs(folder, clock);
  const hashes = Array.from({ length: 80 }, (_, n) => n.toString(16).padStart(64, "0"));
  for (const hash of [...hashes, OTHER]) blobs.put(hash, bytes);
  expect(disk.elsewhere).toBe(64);
  blobs.syncNow();
  await blobs.synced();
  for (const hash of hashes) expect(readFileSync(join(folder, "00", hash))).toHaveLength(10);
});

test("what a killed process left half written is cleared out, and what a living one writes stays", () => {
  const folder = join(temporaryFolder(), "artifacts");
  const blobs = fileBlobs(folder, clock);
  blobs.put(HASH, bytes);
  const of = (pid: number) => join(folder, HASH.slice(0, 2), `${OTHER}.${pid}.tmp`);
  const { pid: gone } = spawnSync(process.execPath, ["-e", ""]);
  const names = () => readdirSync(join(folder, HASH.slice(0, 2))).sort();
  for (const pid of [gone, process.pid]) writeFileSync(of(pid), "half");
  const began = statSync(of(gone)).mtimeMs;
  blobs.removeAbandoned(began);
  expect(names()).toHaveLength(3);
  blobs.removeAbandoned(began + 60_000);
  expect(names()).toEqual([HASH, basename(of(process.pid))]);
});

test("`prune` clears it out, and an export what an earlier one has left", () => {
  const { folder, store } = storeIn();
  store.close();
  const { pid: gone } = spawnSync(process.execPath, ["-e", ""]);
  const leave = (path: string) => {
    writeFileSync(path, "half");
    utimesSync(path, 0, 0);
  };
  const left = join(folder, "artifacts", "aa", `${HASH}.${gone}.tmp`);
  mkdirSync(dirname(left), { recursive: true });
  leave(left);
  const again = openRunStore(join(folder, "runs.sqlite"));
  again.prune();
  expect(existsSync(left)).toBe(false);
  const file = join(folder, "run.madrigal-run");
  leave(`${file}.${gone}.tmp`);
  writeRunFile(
    file,
    exportedRun(again, "a", (value) => value),
  );
  expect(readdirSync(folder).filter((name) => name.startsWith("run."))).toEqual([basename(file)]);
  again.close();
});
