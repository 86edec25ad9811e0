/** Turns errors of SQLite and the file system into errors with a code and a hint. */
import { messageOf, RunError } from "../../failure.ts";
import { notWritable } from "../workspace.ts";

/** Converts an error of SQLite or the file system into an error with a hint on what to do. */
export function storageError(error: unknown, file: string): RunError {
  if (error instanceof RunError) return error;
  switch (sqliteCode(error) ?? systemCode(error)) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return lockedError(file, error);
    case 3: // SQLITE_PERM
    case 8: // SQLITE_READONLY
    case 14: // SQLITE_CANTOPEN
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return notWritable(file, error);
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return damagedError(file, error);
    case 10: // SQLITE_IOERR
    case 13: // SQLITE_FULL
    case "ENOSPC":
    case "EDQUOT":
    case "EIO":
      return diskError(file, error);
    default:
      return new RunError("M5100", `\`${file}\` can't be used: ${messageOf(error)}`, {
        hint: "the run's log ends with its last flush; `madrigal resume` may go on from it",
        cause: error,
      });
  }
}

/** Returns whether another process holds the database, so that a later try may succeed. */
export function isLocked(error: unknown): boolean {
  return error instanceof RunError && error.code === "M5104";
}

/** Returns whether the folder or the disk can't be written; reading may still work. */
export function isUnwritable(error: unknown): boolean {
  return error instanceof RunError && (error.code === "M5101" || error.code === "M5110");
}

/** The error for a file that is no run store, or no longer one. */
export function damagedError(file: string, cause: unknown): RunError {
  return new RunError("M5102", `\`${file}\` is damaged: ${messageOf(cause)}`, {
    hint: "move it and its -wal and -shm files aside; a new one is made with the next run",
    cause,
  });
}

/** The error for records of one run that can't be decompressed or parsed. */
export function damagedRecords(cause: unknown): RunError {
  return new RunError("M5102", `a run's records are damaged: ${messageOf(cause)}`, {
    hint: "restore the workspace's runs.sqlite from a copy, or delete that run; other runs can still be read",
    cause,
  });
}

function lockedError(file: string, cause: unknown): RunError {
  return new RunError("M5104", `\`${file}\` is locked by another process`, {
    hint: "find what holds it open for writing (a backup, a database browser) and try again",
    cause,
  });
}

function diskError(file: string, cause: unknown): RunError {
  return new RunError("M5110", `\`${file}\` can't be stored: ${messageOf(cause)}`, {
    hint: "make room on the disk or repair it, then `madrigal resume`",
    cause,
  });
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  // The low byte is the primary code; the others say where it happened.
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
