/** A stored snapshot that is damaged is none: it must never be taken for where a run stands. */
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { currentOwner } from "../../../../runtime/store/lease.ts";
import { packChunk } from "../../../../runtime/store/log/chunk-bytes.ts";
import { openRunStore } from "../../../../runtime/store/open-store.ts";
import { temporaryFolder } from "../fixtures.ts";
import { meta, record, running } from "../runs.ts";

const text = '[{"status":"running","input":[3]},["ä",12]]';
const standing = { seq: 3, steps: 2, since: 1, graphHash: "hash-of-Tiny", layout: 1, text };

const chunk = packChunk("[[0,1,2,3]]");

async function stored() {
  const file = `${temporaryFolder()}/runs.sqlite`;
  const store = openRunStore(file);
  onTestFinished(() => store.close());
  const log = store.create(meta("a"), currentOwner("test"));
  for (let seq = 0; seq < 9; seq += 1) log.append(record(seq), running);
  await log.close();
  const chunks = { named: new Set([chunk.hash]), fresh: new Map([[chunk.hash, chunk.bytes]]) };
  store.snapshots.put("a", standing, chunks);
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  return { store, database };
}

test("one bit of any of its columns flipped, and it is none", async () => {
  const { store, database } = await stored();
  const columns = ["seq", "steps", "since", "graph_hash", "layout", "hash", "content"];
  const row = database.prepare("SELECT * FROM snapshots").get() ?? {};
  const found = fc.property(fc.constantFrom(...columns), fc.nat(), fc.nat(6), (name, at, bit) => {
    const before = row[name] ?? null;
    const after = flipped(before, at, bit);
    const update = database.prepare(`UPDATE snapshots SET ${name} = ?`);
    update.run(after);
    expect(store.snapshots.get("a")).toBeUndefined();
    update.run(before);
    expect(store.snapshots.get("a")).toEqual(standing);
  });
  fc.assert(found, { numRuns: 200 });
});

test("one bit of a chunk flipped, and it is missing; put again, it is whole", async () => {
  const { store, database } = await stored();
  const update = database.prepare("UPDATE snapshot_chunks SET content = ?");
  const found = fc.property(fc.nat(chunk.bytes.length - 1), fc.nat(7), (at, bit) => {
    const damaged = Uint8Array.from(chunk.bytes);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
    update.run(damaged);
    expect(store.snapshots.chunk("a", chunk.hash)).toBeUndefined();
    const again = { named: new Set<string>(), fresh: new Map([[chunk.hash, chunk.bytes]]) };
    expect(store.snapshots.put("a", standing, again)).toBe(true);
    expect(store.snapshots.chunk("a", chunk.hash)).toEqual(new Uint8Array(chunk.bytes));
  });
  fc.assert(found, { numRuns: 100 });
});

function flipped(value: unknown, at: number, bit: number): string | number {
  if (typeof value === "number") return value ^ (1 << bit);
  const bytes = Buffer.from(String(value), "latin1");
  const place = at % bytes.length;
  bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place);
  return bytes.toString("latin1");
}

test("a store without the table of snapshots goes on without them", async () => {
  const { store, database } = await stored();
  database.exec("DROP TABLE snapshots; DROP TABLE snapshot_chunks");
  expect(store.snapshots.get("a")).toBeUndefined();
  expect(store.snapshots.chunk("a", chunk.hash)).toBeUndefined();
  store.snapshots.put("a", standing);
  expect(store.read("a")).toHaveLength(9);
});
