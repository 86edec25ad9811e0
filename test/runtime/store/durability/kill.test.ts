import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { LogRecord } from "../../../../runtime/records/records.ts";
import { openRunStore } from "../../../../runtime/store/open-store.ts";
import { temporaryFolder } from "../fixtures.ts";
import { mixedRecord } from "../runs.ts";
import { type Child, startChild } from "../start-child.ts";

/** How many more records each process acknowledges before it is killed. */
const kills = [1, 2, 40, 3, 200, 7, 90];

for (const durability of ["sync", "async"]) {
  test(`kill -9 loses no acknowledged record (${durability})`, async () => {
    const file = join(temporaryFolder(), "runs.sqlite");
    for (const count of kills) {
      const child = startChild(["append", file, durability]);
      const acknowledged = await acknowledgements(child, count);
      await child.kill();
      const stored = recordsIn(file);
      expect(stored.length).toBeGreaterThan(acknowledged);
      expect(stored).toEqual(firstRecords(stored.length));
    }
    const database = new DatabaseSync(file);
    expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    database.close();
  });
}

test("a -wal torn by a power cut leaves a whole beginning of the log", async () => {
  const file = join(temporaryFolder(), "runs.sqlite");
  const child = startChild(["append", file, "async"]);
  await acknowledgements(child, 30);
  await child.kill();
  const wal = readFileSync(`${file}-wal`);
  const lengths = [0.2, 0.5, 0.8, 0.99].map((share) => {
    const end = Math.floor(wal.length * share);
    const cut = recordsIn(tornCopy(file, wal.subarray(0, end)));
    const zeroed = recordsIn(tornCopy(file, Buffer.from(wal).fill(0, end)));
    expect(cut).toEqual(firstRecords(cut.length));
    expect(zeroed).toEqual(cut);
    return cut.length;
  });
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
  expect(lengths.at(-1)).toBeGreaterThan(lengths[0] ?? 0);
});

test("a disk that is full fails the log, and what it acknowledged stays", async () => {
  const file = join(temporaryFolder(), "runs.sqlite");
  const child = startChild(["append", file, "async"], { fileBlocksMax: 2_000 });
  let acknowledged = -1;
  let line = await child.line();
  for (; line.startsWith("ack "); line = await child.line()) acknowledged = Number(line.slice(4));
  expect(line).toMatch(/^M5110 `.*` can't be stored: .*make room on the disk/);
  await child.gone();
  expect(acknowledged).toBeGreaterThan(0);
  expect(recordsIn(file)).toEqual(firstRecords(acknowledged + 1));
});

/** The last record that the child acknowledged when it had said so `count` times. */
async function acknowledgements(child: Child, count: number): Promise<number> {
  let last = "";
  for (let seen = 0; seen < count; seen += 1) last = await child.line();
  expect(last).toMatch(/^ack \d+$/);
  return Number(last.slice(4));
}

function firstRecords(count: number): LogRecord[] {
  return Array.from({ length: count }, (_, seq) => mixedRecord(seq));
}

function recordsIn(file: string): LogRecord[] {
  const store = openRunStore(file);
  const stored = store.list().flatMap((run) => store.read(run.runId));
  store.close();
  return stored;
}

/** The same database with another -wal, beside the same artifacts. */
function tornCopy(file: string, wal: Uint8Array): string {
  tornCopies += 1;
  const copy = `${file}.${tornCopies}`;
  copyFileSync(file, copy);
  writeFileSync(`${copy}-wal`, wal);
  return copy;
}

let tornCopies = 0;
