/** Files of earlier layouts, written by the code of their time: see versions/. A new layout adds the file of the last one. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { Session } from "../../../runtime/session.ts";
import { openRunStore, workspaceIn } from "../../../runtime/store/index.ts";
import { schemaVersion } from "../../../runtime/store/schema.ts";
import { noUsage } from "../../../runtime/usage.ts";
import { temporaryFolder } from "./fixtures.ts";
import { meta, owner, record, records } from "./runs.ts";
import { startChild } from "./start-child.ts";

const folder = fileURLToPath(new URL("versions", import.meta.url));
const versions = Array.from({ length: schemaVersion - 1 }, (_, index) => index + 1);

test("every layout there was has a file here", () => {
  expect(readdirSync(folder)).toEqual(versions.map((version) => `version-${version}.sqlite`));
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

describe.each([1, 2, 3])(
  "a store of layout %i, with a table in the way of the fourth,",
  (version) => {
    test("can't be brought up, and is left as it was", () => {
      const file = copyOf(version);
      const database = new DatabaseSync(file);
      database.exec(
        "CREATE TABLE deleted (something TEXT); CREATE TABLE kept_now (something TEXT)",
      );
      database.close();
      expect(() => openRunStore(file)).toThrow(/already exists/);
      expect(versionOf(file)).toBe(version);
    });
  },
);

describe.each([2, 3, 4])("a store of layout %i", (version) => {
  test("has what threads and users kept", () => {
    const store = openRunStore(copyOf(version));
    onTestFinished(() => store.close());
    expect(store.kept({ scope: "thread", owner: "thread-1" })).toMatchObject([
      { field: "seen", value: ["a", { b: null }], runId: "a" },
    ]);
    expect(store.kept({ scope: "user", owner: "me" })).toMatchObject([
      { field: "count", value: 3 },
    ]);
  });

  test("has a run that it left waiting: it is answered, and ends", async () => {
    const root = temporaryFolder();
    const { dataDir, runsFile } = workspaceIn(root);
    mkdirSync(dataDir);
    copyFileSync(join(folder, `version-${version}.sqlite`), runsFile);
    const session = new Session({ cwd: root, env: { MADRIGAL_HOME: root } });
    onTestFinished(() => session.close());
    const run = session.open("last");
    expect(run.status).toBe("waiting");
    await run.answer("signoff-0", { kind: "value", value: true });
    expect(await run.output).toEqual({ ok: true });
  });
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
