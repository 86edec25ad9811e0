/** Files of the earlier layouts that are read, written by the code of their time: see versions/. A new layout adds the file of the last one. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { Session } from "../../../runtime/session/session.ts";
import { oldestVersion, schemaVersion } from "../../../runtime/store/database/schema.ts";
import { packChunk } from "../../../runtime/store/log/chunk-bytes.ts";
import { openRunStore } from "../../../runtime/store/open-store.ts";
import { workspaceIn } from "../../../runtime/store/workspace.ts";
import { noUsage } from "../../../runtime/usage.ts";
import { errorOf, temporaryFolder } from "./fixtures.ts";
import { meta, owner, record, records } from "./runs.ts";
import { startChild } from "./start-child.ts";

const folder = fileURLToPath(new URL("versions", import.meta.url));
const versions = Array.from(
  { length: schemaVersion - oldestVersion },
  (_, index) => oldestVersion + index,
);

test("every earlier layout that is read has a file here", () => {
  expect(readdirSync(folder).toSorted()).toEqual(
    versions.map((version) => `version-${version}.sqlite`).toSorted(),
  );
  expect(versions.map((version) => versionOf(join(folder, `version-${version}.sqlite`)))).toEqual(
    versions,
  );
});

describe.each(versions)("a store of layout %i", (version) => {
  test("is brought up when it is opened, and has what it had", () => {
    const file = copyOf(version);
    const store = openRunStore(file);
    onTestFinished(() => store.close());
    expect(store.read("a")).toEqual(records(0, 3));
    expect(store.meta("a")).toEqual(meta("a", { seed: "7", config: { depth: 2 } }));
    expect(store.find("a")).toMatchObject({
      status: "succeeded",
      reason: "done",
      steps: 2,
      usage: { ...noUsage, inputTokens: 12 },
    });
    expect(store.read("b")).toEqual([record(0, "xxx"), record(1, { text: "näive näive näive " })]);
    expect(store.find("b").error).toEqual({
      code: "M9000",
      message: "it broke",
      node: "search",
    });
    const chart = "a8c938318041ff413b5be251f171ce9ea478b3b957e5fd20b00a9d4de73a541d";
    expect(store.artifacts.info(chart)).toMatchObject({ kind: "chart", producer: "a/1" });
    expect(versionOf(file)).toBe(schemaVersion);
    expect(complaintsOf(file)).toEqual([]);
  });

  test("has the tables of a new file when it is brought up", () => {
    const made = join(temporaryFolder(), "runs.sqlite");
    const file = copyOf(version);
    for (const each of [made, file]) openRunStore(each).close();
    expect(tablesOf(file)).toEqual(tablesOf(made));
  });

  test("goes on being written to", async () => {
    const store = openRunStore(copyOf(version));
    onTestFinished(() => store.close());
    const log = store.open("b", owner("one"));
    log.append(record(2), { status: "running", steps: 1, usage: noUsage });
    await log.close();
    expect(store.read("b")).toHaveLength(3);
    store.delete("a");
    expect(store.find("last").runId).not.toBe("a");
  });

  test("is brought up once by two processes that open it together", async () => {
    const file = copyOf(version);
    const children = [1, 2].map(() => startChild(["create", file]));
    const lines = await Promise.all(children.map((child) => child.line()));
    // Who closes last writes the log into the file.
    await Promise.all(children.map((child) => child.gone()));
    // Both make the run `a`: that one is there already.
    expect(lines.every((line) => line.startsWith("M9000 there is a run `a` already"))).toBe(true);
    expect(versionOf(file)).toBe(schemaVersion);
    expect(complaintsOf(file)).toEqual([]);
  });
});

test.each([-1, 1, 8])("a store of layout %i is refused and left as it was", async (version) => {
  const file = copyOf(oldestVersion);
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
  const before = readFileSync(file);
  for (const isForReading of [false, true])
    expect(await errorOf(() => openRunStore(file, { isForReading }))).toBe(
      `M5103 \`${file}\` has layout ${version}, and this Madrigal reads layouts 9 to ${schemaVersion} (the workspace is of a version that was never released: move the file and its -wal and -shm files aside; a new one is made with the next run)`,
    );
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("a store of layout 9 that can't be brought up is left as it was", () => {
  const file = copyOf(9);
  const database = new DatabaseSync(file);
  // In the way of the last statement of the step: SQLite renames no table while a view names one that is gone.
  database.exec("CREATE VIEW in_the_way AS SELECT field FROM kept");
  const kept = database.prepare("SELECT * FROM kept").all();
  database.close();
  expect(() => openRunStore(file)).toThrow(/in_the_way/);
  expect(versionOf(file)).toBe(9);
  const after = new DatabaseSync(file);
  onTestFinished(() => after.close());
  expect(after.prepare("SELECT * FROM kept").all()).toEqual(kept);
});

test("a run of layout 2 that waits in a file of layout 9, in segments of its time, is answered and ends", async () => {
  const root = temporaryFolder();
  const { dataDir, runsFile } = workspaceIn(root);
  mkdirSync(dataDir);
  copyFileSync(join(folder, "version-9.sqlite"), runsFile);
  const waiting = "01a20313-17ac-7c23-9b14-dbd753ae2a2f";
  expect(segmentsOf(runsFile, waiting)).toEqual([
    expect.stringMatching(/^\[\{"kind":"run"/),
    expect.stringMatching(/^\[\{"kind":"start"/),
  ]);
  const session = new Session({ cwd: root, env: { MADRIGAL_HOME: root } });
  onTestFinished(() => session.close());
  const run = session.open(waiting);
  expect(run.status).toBe("waiting");
  await run.answer("signoff-0", { kind: "value", value: true });
  expect(await run.output).toEqual({ ok: true });
});

test("a user's fields of layout 9 are those of the graph that wrote them last", () => {
  const store = openRunStore(copyOf(9));
  onTestFinished(() => store.close());
  expect(store.kept({ scope: "user", owner: "you" })).toMatchObject([
    { field: "facts", graph: "Tiny", value: ["likes tea"], runId: "a" },
    { field: "gone", graph: "", value: 1, runId: "deleted-run" },
  ]);
  expect(store.kept({ scope: "thread", owner: "thread-1" })).toMatchObject([
    { field: "seen", graph: "" },
  ]);
});

test("a store of layout 10 gets the tables that people write, empty, and keeps its runs", () => {
  const store = openRunStore(copyOf(10));
  onTestFinished(() => store.close());
  expect(store.list().map(({ runId }) => runId)).toContain("c");
  expect(store.read("c")).toHaveLength(2);
  expect(store.writable.revision()).toBe("");
  const scores = [["c", null, "useful", 0.5, null, null, null, null]];
  store.writable.replace("", { scores, model_prices: [], model_contexts: [] });
  expect(store.writable.rows().scores).toEqual(scores);
});

test("a store of layout 11 keeps its segments as they are, and compresses new ones", async () => {
  const file = copyOf(11);
  const store = openRunStore(file);
  const log = store.open("b", owner("one"));
  const repeated = record(2, { text: "a line of text ".repeat(1_000) });
  log.append(repeated, { status: "running", steps: 1, usage: noUsage });
  await log.close();
  expect(store.read("d")).toHaveLength(40);
  expect(store.read("b").at(-1)).toEqual(repeated);
  expect(store.writable.rows().scores).toHaveLength(1);
  store.close();
  expect(segmentsOf(file, "d").map((records) => typeof records)).toEqual(["string"]);
  const last = segmentsOf(file, "b").at(-1);
  expect(last).toBeInstanceOf(Uint8Array);
  expect((last as Uint8Array).length).toBeLessThan(300);
});

test("a store of layout 12 keeps its snapshots, and takes chunks of long lists", () => {
  const store = openRunStore(copyOf(12));
  onTestFinished(() => store.close());
  expect(store.read("e")).toHaveLength(4);
  const { seq, text } = store.snapshots.get("e") ?? {};
  expect([seq, text]).toEqual([3, '[{"status":"running","input":[3]},["ä",12]]']);
  const { hash, bytes } = packChunk("[[0,1]]");
  const stored = { seq: 3, steps: 2, since: 1, graphHash: "h", layout: 1, text: "[]" };
  store.snapshots.put("e", stored, { named: new Set([hash]), fresh: new Map([[hash, bytes]]) });
  expect(store.snapshots.chunk("e", hash)).toEqual(new Uint8Array(bytes));
});

test("a store of layout 14 finds one character of a script without spaces in entries of before", () => {
  const store = openRunStore(copyOf(14));
  onTestFinished(() => store.close());
  const asked = { memory: "notes", scope: "user", owner: "ann", top: 5, now: 1 } as const;
  for (const text of ["茶", "绿茶", "lamp"])
    expect(store.memories.recall({ ...asked, text })).toHaveLength(1);
  const [lamp] = store.memories.list({ user: "ann", state: "kept" });
  store.memories.forget([lamp?.id ?? ""]);
  expect(store.memories.recall({ ...asked, text: "door" })).toEqual([]);
});

function copyOf(version: number): string {
  const file = join(temporaryFolder(), "runs.sqlite");
  copyFileSync(join(folder, `version-${version}.sqlite`), file);
  return file;
}

/** Out of the file's head, so that looking changes nothing; there is no -wal when a store is closed. */
function versionOf(file: string): number {
  return readFileSync(file).readUInt32BE(60);
}

function complaintsOf(file: string): unknown[] {
  const database = new DatabaseSync(file);
  const check = database.prepare("PRAGMA integrity_check").all();
  const keys = database.prepare("PRAGMA foreign_key_check").all();
  database.close();
  return [...check.filter((row) => row.integrity_check !== "ok"), ...keys];
}

/** Every statement that made a table or an index, without the white space in which a column that was added differs. */
function tablesOf(file: string): unknown[] {
  const database = new DatabaseSync(file);
  const rows = database.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
  database.close();
  return rows.map(({ name, sql }) => [name, String(sql).replaceAll(/\s/g, "")]);
}

function segmentsOf(file: string, runId: string): unknown[] {
  const database = new DatabaseSync(file);
  const statement = "SELECT records FROM segments WHERE run_id = ? ORDER BY first_seq";
  const rows = database.prepare(statement).all(runId);
  database.close();
  return rows.map(({ records }) => records);
}
