/**
 * Copies the write-ahead log into the database file, in a thread of its own. The file is open only as long as that takes.
 * This is plain JavaScript, since stripping types would take longer than the copy. `checkpoints.ts` starts the thread.
 */
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

/** A log that others write to all the time is copied without ever being begun anew: beyond this, they wait a moment. */
const LOG_BYTES_MAX = 64 * 1024 * 1024;

const { file, state, IDLE, ASKED, BUSY } = workerData;

parentPort?.on("message", () => {
  // Whoever closes the store takes back what has not begun.
  if (Atomics.compareExchange(state, 0, ASKED, BUSY) !== ASKED) return;
  try {
    checkpoint();
  } catch {
    // Tried again with the next one; until then the log is only longer.
  } finally {
    Atomics.store(state, 0, IDLE);
    Atomics.notify(state, 0);
  }
});

function checkpoint() {
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    if (statSync(`${file}-wal`).size > LOG_BYTES_MAX) {
      database.exec("PRAGMA wal_checkpoint(RESTART)");
    }
  } finally {
    database.close();
  }
}
