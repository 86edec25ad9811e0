import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { schemaVersion } from "../../../runtime/store/database/schema.ts";
import { currentOwner } from "../../../runtime/store/lease.ts";
import { openRunStore } from "../../../runtime/store/open-store.ts";
import { workspaceIn } from "../../../runtime/store/workspace.ts";
import { errorOf, temporaryFolder } from "./fixtures.ts";
import { meta, record, running } from "./runs.ts";
import { startChild } from "./start-child.ts";

const large = "x".repeat(300_000);

test("contract: .madrigal holds runs.sqlite and artifacts/<2 hex>/<sha256>, folders 0700, files 0600", async () => {
  const before = process.umask(0o277);
  try {
    const workspace = workspaceIn(temporaryFolder());
    const store = openRunStore(workspace);
    const log = store.create(meta("a"), currentOwner("test"));
    log.append(record(0, large), running);
    log.append(record(1, large), running);
    await log.flush();
    expect(modesBelow(workspace.dataDir)).toEqual([
      "700 .",
      "700 artifacts",
      "700 artifacts/6c",
      "600 artifacts/6c/6ceb75cea5d0e30d5fa61142c9b251b97a5e9ca463b529245296a66d5db942c0",
      "600 runs.sqlite",
      "600 runs.sqlite-shm",
      "600 runs.sqlite-wal",
    ]);
    await log.close();
    store.close();
  } finally {
    process.umask(before);
  }
});

test("a folder and files that others could read are closed to them", () => {
  const workspace = workspaceIn(temporaryFolder());
  openRunStore(workspace).close();
  chmodSync(workspace.dataDir, 0o755);
  chmodSync(workspace.runsFile, 0o644);
  openRunStore(workspace).close();
  expect(modesBelow(workspace.dataDir)).toEqual(["700 .", "600 runs.sqlite"]);
});

test("a folder that users share, as /tmp, stays open to them", () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o1777);
  openRunStore(join(folder, "runs.sqlite")).close();
  expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  expect(statSync(join(folder, "runs.sqlite")).mode & 0o777).toBe(0o600);
});

test("a folder that can't be written is named, with what to do", async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o555);
  const child = startChild(["create", join(folder, ".madrigal", "runs.sqlite")], nobody());
  expect(await child.line()).toBe(
    `M5101 \`${folder}/.madrigal\` can't be written (make it writable, or set MADRIGAL_HOME to a folder that is)`,
  );
  chmodSync(folder, 0o755);
});

test("a file that can't be written is named", async () => {
  const folder = temporaryFolder();
  openRunStore(join(folder, "runs.sqlite")).close();
  chmodSync(folder, 0o555);
  chmodSync(join(folder, "runs.sqlite"), 0o444);
  const child = startChild(["create", join(folder, "runs.sqlite")], nobody());
  expect(await child.line()).toMatch(/^M5101 `.*\/runs\.sqlite` can't be written/);
  chmodSync(folder, 0o755);
});

test("a file that is no database is named", async () => {
  const file = join(temporaryFolder(), "runs.sqlite");
  writeFileSync(file, "not a database ".repeat(500));
  expect(await errorOf(() => openRunStore(file))).toBe(
    `M5102 \`${file}\` is damaged: file is not a database (move it and its -wal and -shm files aside; a new one is made with the next run)`,
  );
  expect(readFileSync(file, "utf8")).toContain("not a database");
});

const PAGE_BYTES = 4_096;

/** From 0, as they lie in the file. */
function schemaPages(file: string): ReadonlySet<number> {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'").all();
  database.close();
  return new Set(rows.map(({ pageno }) => Number(pageno) - 1));
}

test("pages that were overwritten are named when they are read", async () => {
  const file = join(temporaryFolder(), "runs.sqlite");
  const store = openRunStore(file);
  const log = store.create(meta("a"), currentOwner("test"));
  for (let seq = 0; seq < 500; seq += 1) log.append(record(seq), running);
  await log.close();
  store.close();
  // All but those that say which tables there are: without them the file is not opened at all.
  const schema = schemaPages(file);
  const bytes = readFileSync(file);
  for (let page = 0; page * PAGE_BYTES < bytes.length; page += 1) {
    if (!schema.has(page)) bytes.fill(0xab, page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
  }
  writeFileSync(file, bytes);
  const damaged = openRunStore(file);
  expect(await errorOf(() => damaged.read("a"))).toContain(`M5102 \`${file}\` is damaged`);
  expect(await errorOf(() => damaged.create(meta("b"), currentOwner("test")))).toContain("M5102");
  damaged.close();
});

test("a run whose compressed records are damaged is named, and the others are read", async () => {
  const file = join(temporaryFolder(), "runs.sqlite");
  const store = openRunStore(file);
  for (const runId of ["a", "b"]) {
    const log = store.create(meta(runId), currentOwner("test"));
    log.append(record(0, "a line of text ".repeat(1_000)), running);
    await log.close();
  }
  const database = new DatabaseSync(file);
  database.exec("UPDATE segments SET records = substr(records, 1, 60) WHERE run_id = 'a'");
  database.close();
  expect(await errorOf(() => store.read("a"))).toMatch(/^M5102 a run's records are damaged: /);
  expect(store.read("b")).toHaveLength(1);
  store.delete("a");
  expect(store.list().map(({ runId }) => runId)).toEqual(["b"]);
  store.close();
});

test("another program's database is left alone", async () => {
  const file = join(temporaryFolder(), "runs.sqlite");
  const other = new DatabaseSync(file);
  other.exec("CREATE TABLE bills (amount INTEGER)");
  other.close();
  const before = readFileSync(file);
  expect(await errorOf(() => openRunStore(file))).toContain(
    "is damaged: it is not a store of Madrigal's runs",
  );
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("a store of a newer version is left alone", async () => {
  const file = join(temporaryFolder(), "runs.sqlite");
  openRunStore(file).close();
  const database = new DatabaseSync(file);
  database.exec("PRAGMA user_version = 99");
  database.close();
  expect(await errorOf(() => openRunStore(file))).toBe(
    `M5103 \`${file}\` was written by a newer Madrigal (layout 99, this one knows ${schemaVersion}) (update madrigal, or set MADRIGAL_HOME to another folder)`,
  );
});

test("a deleted or changed artifact is an error, not silence", async () => {
  const workspace = workspaceIn(temporaryFolder());
  const store = openRunStore(workspace);
  const log = store.create(meta("a"), currentOwner("test"));
  log.append(record(0), running);
  await log.flush();
  log.append(record(1, large), running);
  await log.close();
  const [folder = ""] = readdirSync(workspace.artifactsDir);
  const [name = ""] = readdirSync(join(workspace.artifactsDir, folder));
  const path = join(workspace.artifactsDir, folder, name);
  writeFileSync(path, `"${"y".repeat(300_000)}"`);
  expect(await errorOf(() => store.read("a"))).toContain(`M5109 artifact \`${name}\` is damaged`);
  rmSync(path);
  expect(await errorOf(() => store.read("a"))).toContain(`M5109 artifact \`${name}\` is missing`);
  expect(await errorOf(() => store.artifacts.get(name))).toContain("M5109");
  store.close();
});

test("a disk that takes no artifact fails the flush and every call after it", async () => {
  const workspace = workspaceIn(temporaryFolder());
  const store = openRunStore(workspace);
  const log = store.create(meta("a"), currentOwner("test"));
  // A file where the folder should be: the one refusal that root gets too.
  writeFileSync(workspace.artifactsDir, "");
  log.append(record(0, large), running);
  expect(await errorOf(() => log.flush())).toMatch(/^M5101 `.*artifacts` can't be written/);
  expect(await errorOf(() => log.append(record(1), running))).toContain("M5101");
  expect(await errorOf(() => log.close())).toContain("M5101");
  expect(store.read("a")).toEqual([]);
  store.close();
});

test("two stores that are made at once share one file", () => {
  const folder = join(temporaryFolder(), "deep", "er");
  mkdirSync(folder, { recursive: true });
  const stores = [1, 2].map(() => openRunStore(join(folder, "runs.sqlite")));
  for (const [index, store] of stores.entries()) store.create(meta(`r${index}`), currentOwner("t"));
  for (const store of stores) expect(store.list()).toHaveLength(2);
  for (const store of stores) store.close();
});

/** Someone whom modes bind; root is not bound by them. */
function nobody() {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
}

function modesBelow(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return [".", ...paths.toSorted()].map((path) => {
    const mode = statSync(join(folder, path)).mode & 0o777;
    return `${mode.toString(8)} ${path}`;
  });
}
