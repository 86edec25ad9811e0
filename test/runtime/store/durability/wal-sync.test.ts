/** Who waits for the disk: another thread, or this one where that is quicker; and the room that is made for what is written. */
import { closeSync, cpSync, openSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { tellsLength, WalRoom } from "../../../../runtime/store/database/wal-room.ts";
import { WalSync } from "../../../../runtime/store/database/wal-sync.ts";
import { temporaryFolder } from "../fixtures.ts";

/** A disk that takes `tookMs`, and whether the last sync was over before it returned. */
function walOn(disk: { tookMs: number }) {
  const file = join(temporaryFolder(), "log");
  writeFileSync(file, "");
  let now = 0;
  const wal = new WalSync(file, () => {
    now += disk.tookMs;
    return now - disk.tookMs;
  });
  onTestFinished(() => wal.close());
  const sync = async (alone: boolean) => {
    const before = now;
    const synced = wal.sync({ alone });
    const isHere = now - before >= 2 * disk.tookMs;
    await synced;
    return isHere ? "here" : "elsewhere";
  };
  return { wal, sync };
}

async function times<Of>(count: number, one: () => Promise<Of>): Promise<readonly Of[]> {
  const all: Of[] = [];
  for (let number = 0; number < count; number += 1) all.push(await one());
  return all;
}

test("who is alone waits for a disk itself once that was quick four times", async () => {
  const { sync } = walOn({ tookMs: 1 });
  expect(await times(6, () => sync(true))).toEqual([
    ...["elsewhere", "elsewhere", "elsewhere", "elsewhere"],
    ...["here", "here"],
  ]);
  expect(await sync(false)).toBe("elsewhere");
});

test("a disk that was slow once is another thread's for long", async () => {
  const disk = { tookMs: 1 };
  const { sync } = walOn(disk);
  await times(4, () => sync(true));
  disk.tookMs = 30;
  expect(await sync(true)).toBe("here");
  disk.tookMs = 1;
  const after = await times(65, () => sync(true));
  expect(after.indexOf("here")).toBe(64);
});

test("much that is not on the disk is another thread's", async () => {
  const { wal, sync } = walOn({ tookMs: 1 });
  await times(4, () => sync(true));
  wal.wrote(200_000);
  expect(await sync(true)).toBe("elsewhere");
  expect(await sync(true)).toBe("here");
});

test("the room of the log is written over by whoever commits, and nothing is lost of either", () => {
  const write = fc.record({
    by: fc.constantFrom(0, 1),
    bytes: fc.integer({ min: 1, max: 90_000 }),
  });
  const step = fc.oneof(
    { weight: 8, arbitrary: write },
    { weight: 1, arbitrary: fc.constantFrom("PASSIVE", "RESTART", "TRUNCATE") },
  );
  const all = fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
    const file = join(temporaryFolder(), "a.sqlite");
    const writers = [writerOf(file), writerOf(file)] as const;
    const written: number[] = [];
    for (const one of steps) {
      if (typeof one === "string") writers[0].checkpoint(one);
      else {
        writers[one.by].write(written.length, one.bytes);
        written.push(one.bytes);
      }
    }
    // As a crash leaves it: nobody tidies the log up.
    const copy = join(temporaryFolder(), "a.sqlite");
    for (const end of ["", "-wal"]) cpSync(`${file}${end}`, `${copy}${end}`);
    for (const writer of writers) writer.close();
    expect(rowsOf(copy)).toEqual(written.map((bytes, number) => ({ number, bytes })));
    expect(rowsOf(file)).toEqual(rowsOf(copy));
  });
  fc.assert(all, { numRuns: 40 });
});

test("a log that is begun anew needs no more room", () => {
  const file = join(temporaryFolder(), "a.sqlite");
  const writer = writerOf(file);
  for (let number = 0; number < 60; number += 1) {
    writer.write(number, 20_000);
    writer.checkpoint("RESTART");
  }
  const { size } = statSync(`${file}-wal`);
  writer.close();
  expect(size).toBeGreaterThan(256 * 1024);
  expect(size).toBeLessThan(400 * 1024);
});

test.each([
  [undefined, false],
  ["3.50.4", false],
  ["3.51.0", true],
  ["4.0.0", true],
])("SQLite %s says how long its log is: %s", (version, tells) => {
  expect(tellsLength(version)).toBe(tells);
});

/** A connection that makes room as a store does. */
function writerOf(file: string) {
  const database = new DatabaseSync(file, { timeout: 1_000 });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
  database.exec("CREATE TABLE IF NOT EXISTS rows (number INTEGER, content BLOB)");
  const room = new WalRoom(database);
  const log = openSync(`${file}-wal`, "r+");
  return {
    write(number: number, bytes: number) {
      database.exec("BEGIN IMMEDIATE");
      database.prepare("INSERT INTO rows VALUES (?, ?)").run(number, new Uint8Array(bytes).fill(7));
      room.extend(log);
      database.exec("COMMIT");
      room.committed(log);
    },
    checkpoint: (how: string) => database.exec(`PRAGMA wal_checkpoint(${how})`),
    close() {
      closeSync(log);
      database.close();
    },
  };
}

function rowsOf(file: string): readonly unknown[] {
  const database = new DatabaseSync(file);
  const rows = database.prepare("SELECT number, length(content) AS bytes FROM rows").all();
  database.close();
  return rows.map((row) => ({ ...row }));
}
