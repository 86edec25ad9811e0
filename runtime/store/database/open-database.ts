/** Opens or makes runs.sqlite, migrates it to the present layout, and refuses files of other programs or newer versions. */
import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { RunError } from "../../failure.ts";
import { memorySteps } from "../memories/memory-schema.ts";
import { entryWords } from "../memories/words.ts";
import { makePrivate, makePrivateFolder } from "../workspace.ts";
import { applicationId, oldestVersion, schemaVersion, stepsFrom } from "./schema.ts";
import { damagedError, isUnwritable, storageError } from "./sqlite-error.ts";

/** Making and recovering the file wait for other processes that do the same; no run is under way yet. */
const openWaitMs = 5_000;

/** Opens or makes runs.sqlite, in the layout of this version and closed to other users. */
export function openDatabase(file: string): DatabaseSync {
  makePrivateFolder(dirname(file));
  try {
    makePrivateFile(file);
    return prepared(file);
  } catch (error) {
    throw storageError(error, file);
  }
}

/** Makes a database with the tables of memories that ends with its process. */
export function openMemoryDatabase(): DatabaseSync {
  const database = new (sqlite().DatabaseSync)(":memory:");
  giveWords(database);
  for (const step of memorySteps) database.exec(step);
  return database;
}

/** The same for who only reads: where the file can't be written it is opened all the same, and writing to it is M5101. */
export function openDatabaseToRead(file: string): DatabaseSync {
  try {
    return openDatabase(file);
  } catch (error) {
    if (!isUnwritable(error) || !existsSync(file)) throw error;
    return openedToRead(file) ?? rethrow(error);
  }
}

/** In the layout of this version; nothing where SQLite can't read it without writing beside it. */
function openedToRead(file: string): DatabaseSync | undefined {
  for (const place of [file, unchangingUrl(file)]) {
    if (place === undefined) continue;
    const database = new (sqlite().DatabaseSync)(place, { readOnly: true, timeout: openWaitMs });
    try {
      if (versionOf(database, file) === schemaVersion) return database;
    } catch (error) {
      database.close();
      if (error instanceof RunError) throw error;
      continue;
    }
    database.close();
  }
  return undefined;
}

/**
 * SQLite reads a file with a write-ahead log only beside files that say who reads what, and can't make them here. Without
 * such a log nobody writes to the file, and it can be read as one that does not change.
 */
function unchangingUrl(file: string): URL | undefined {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) return undefined;
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return url;
}

function rethrow(error: unknown): never {
  throw error;
}

function prepared(file: string): DatabaseSync {
  const database = new (sqlite().DatabaseSync)(file, { timeout: openWaitMs });
  try {
    database.exec("PRAGMA trusted_schema = OFF");
    if (!hasTables(database)) useWriteAheadLog(database);
    migrate(database, file);
    // SQLite gives the mode of the database to its -wal and -shm; this is for files that were there before.
    for (const each of [file, `${file}-wal`, `${file}-shm`])
      if (existsSync(each)) makePrivate(each, 0o600);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Loaded here, so that programs without a store start without SQLite. */
function sqlite(): typeof import("node:sqlite") {
  const found: typeof import("node:sqlite") | undefined = process.getBuiltinModule("node:sqlite");
  if (found !== undefined) return found;
  throw new RunError("M5100", `this Node.js (${process.version}) has no SQLite`, {
    hint: "use Node.js 22.18 or newer",
  });
}

function makePrivateFile(file: string): void {
  // Never opens a file that is there: closing it again would drop the locks that SQLite holds in this process.
  if (existsSync(file)) return;
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!existsSync(file)) throw error;
  }
}

/** The switch needs the file for itself, and SQLite reports that at once instead of waiting. */
function useWriteAheadLog(database: DatabaseSync): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; ; waitedMs += 10) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (waitedMs >= openWaitMs || !isBusy(error)) throw error;
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}

function migrate(database: DatabaseSync, file: string): void {
  if (versionOf(database, file) === schemaVersion) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    bringUp(database, file);
    database.exec("COMMIT");
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK");
  }
  // Out of the -wal, so that one torn by a power cut can't take the tables with it.
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

function bringUp(database: DatabaseSync, file: string): void {
  // Read again: another process may have been here first.
  const version = versionOf(database, file);
  if (hasTables(database)) assertOurs(database, file);
  giveWords(database);
  for (const step of stepsFrom(version)) database.exec(step);
  database.exec(`PRAGMA user_version = ${schemaVersion}`);
  database.exec(`PRAGMA application_id = ${applicationId}`);
}

/** The function by which a step makes the index of words anew. */
function giveWords(database: DatabaseSync): void {
  const wordsOf = (space: unknown, value: unknown) =>
    entryWords(Number(space), String(value)).join(" ");
  database.function("memory_words_of", { deterministic: true }, wordsOf);
}

function assertOurs(database: DatabaseSync, file: string): void {
  const found = database.prepare("PRAGMA application_id").get()?.application_id;
  if (found !== applicationId) throw damagedError(file, "it is not a store of Madrigal's runs");
}

/** The file's layout, if this Madrigal reads it; 0 of a file that has none yet. */
function versionOf(database: DatabaseSync, file: string): number {
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version);
  if (version === 0) return version;
  assertOurs(database, file);
  if (version > schemaVersion) throw newerError(file, version);
  if (version < oldestVersion) throw olderError(file, version);
  return version;
}

function hasTables(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined;
}

function newerError(file: string, version: number): RunError {
  const text = `\`${file}\` was written by a newer Madrigal (layout ${version}, this one knows ${schemaVersion})`;
  return new RunError("M5103", text, {
    hint: "update madrigal, or set MADRIGAL_HOME to another folder",
  });
}

function olderError(file: string, version: number): RunError {
  const text = `\`${file}\` has layout ${version}, and this Madrigal reads layouts ${oldestVersion} to ${schemaVersion}`;
  return new RunError("M5103", text, {
    hint: "the workspace is of a version that was never released: move the file and its -wal and -shm files aside; a new one is made with the next run",
  });
}
