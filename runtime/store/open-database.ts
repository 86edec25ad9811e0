import { closeSync, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { RunError } from "../failure.ts";
import { applicationId, schemaVersion, steps } from "./schema.ts";
import { damagedError, storageError } from "./sqlite-error.ts";
import { makePrivate, makePrivateFolder } from "./workspace.ts";

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
  const version = userVersion(database);
  if (version > 0) assertOurs(database, file);
  if (version > schemaVersion) throw newerError(file, version);
  if (version === schemaVersion) return;
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
  const version = userVersion(database);
  if (version > 0 || hasTables(database)) assertOurs(database, file);
  for (const step of steps.slice(version)) database.exec(step);
  database.exec(`PRAGMA user_version = ${schemaVersion}`);
  database.exec(`PRAGMA application_id = ${applicationId}`);
}

function assertOurs(database: DatabaseSync, file: string): void {
  const found = database.prepare("PRAGMA application_id").get()?.application_id;
  if (found !== applicationId) throw damagedError(file, "it is not a store of Madrigal's runs");
}

function userVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
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
