/** Changes memories with the records that say so; what goes wrong harms no run, and is told once. */
import { messageOf } from "../../failure.ts";
import type { MemoryChange } from "./memory.ts";
import type { MemoryIndex } from "./memory-index.ts";

/** Applies a change within the transaction of its records, all of it or nothing. */
export function applyMemory(memories: MemoryIndex, change: MemoryChange): void {
  try {
    const { database } = memories;
    database.exec("SAVEPOINT memory");
    try {
      memories.change(change);
    } catch (error) {
      // SQLite has ended the whole transaction where the disk is full, and its commit says so.
      if (database.isTransaction) database.exec("ROLLBACK TO memory");
      throw error;
    } finally {
      if (database.isTransaction) database.exec("RELEASE memory");
    }
  } catch (error) {
    warnOfMemory("a memory could not be written", error);
  }
}

let isWarned = false;

/** Tells once a process that memories do not work; runs go on without them. */
export function warnOfMemory(what: string, cause: unknown): void {
  if (isWarned) return;
  isWarned = true;
  process.emitWarning(`${what}, and runs go on without it: ${messageOf(cause)}`, {
    type: "MadrigalMemory",
    code: "M7870",
  });
}
