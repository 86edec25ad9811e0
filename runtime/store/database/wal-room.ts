/**
 * Writes zeros after the end of the write-ahead log, so that a sync does not have to grow the file: a new length and new
 * blocks take a transaction of the file system, which takes longer than the data. SQLite overwrites the zeros and reads none
 * of them: its log ends at the first invalid frame.
 */
import { fstatSync, writeSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";

/** More is written out once less is left: a few small commits. */
const lowBytes = 64 * 1024;
/** As much as there is already, between these. */
const leastBytes = 256 * 1024;
const mostBytes = 2 * 1024 * 1024;

const headerBytes = 32;
const frameHeaderBytes = 24;

export class WalRoom {
  readonly #frames: StatementSync;
  readonly #frameBytes: number;
  #size = 0;
  #left = 0;
  #isDiskFull = false;

  constructor(database: DatabaseSync) {
    this.#frames = database.prepare("PRAGMA wal_checkpoint(NOOP)");
    const page = database.prepare("PRAGMA page_size").get();
    this.#frameBytes = Number(page?.page_size) + frameHeaderBytes;
  }

  /** At the end of a transaction, so that nobody else writes to the log, whose `descriptor` this is; how much was written out. */
  extend(descriptor: number): number {
    if (this.#isDiskFull || this.#left > lowBytes) return 0;
    try {
      const { size } = fstatSync(descriptor);
      const zeros = new Uint8Array(Math.min(Math.max(size, leastBytes), mostBytes));
      const bytes = writeSync(descriptor, zeros, 0, zeros.length, size);
      this.#left += bytes;
      return bytes;
    } catch {
      // The log grows by itself, and says so when it can't.
      this.#isDiskFull = true;
      return 0;
    }
  }

  /** Behind a commit: looks how much of the log is used by now. Others may have begun it anew. */
  committed(descriptor: number): void {
    try {
      const used = headerBytes + Number(this.#frames.get()?.log) * this.#frameBytes;
      if (this.#size - used <= lowBytes) this.#size = fstatSync(descriptor).size;
      this.#left = this.#size - used;
    } catch {
      // What is committed is, whatever can be known of the log; it is asked again behind the next one.
      this.#left = 0;
    }
  }
}

/** Returns whether this version of SQLite tells the length of the log without touching it. */
export function tellsLength(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  return major > 3 || (major === 3 && minor >= 51);
}
