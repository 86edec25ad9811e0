/**
 * Brings the write-ahead log to the disk without holding up the thread: SQLite's own way (`synchronous = FULL`) waits for
 * the disk within COMMIT. A commit with NORMAL and this behind it survive a power cut alike.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";

export class WalSync {
  readonly #file: string;
  /** Closing it drops no lock of SQLite: it locks the other two files. */
  #descriptor: number | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** `file` is the write-ahead log; it is there as long as a connection is open that has written. */
  constructor(file: string) {
    this.#file = file;
  }

  /** Resolves when everything that is committed by now is on the disk. */
  sync(): Promise<void> {
    // One that is under way may have begun before the last commit.
    if (this.#running === undefined) return this.#begin();
    this.#next ??= this.#running.then(ignore, ignore).then(() => {
      this.#next = undefined;
      return this.#begin();
    });
    return this.#next;
  }

  /** The same, with the thread held up. */
  syncNow(): void {
    fdatasyncSync(this.#open());
  }

  close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor === undefined) return;
    if (this.#running === undefined) closeSync(descriptor);
    else void this.#running.then(ignore, ignore).then(() => closeSync(descriptor));
  }

  #begin(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#running = promise;
    try {
      fdatasync(this.#open(), (error) => {
        this.#running = undefined;
        if (error === null) resolve();
        else reject(error);
      });
    } catch (error) {
      this.#running = undefined;
      reject(error);
    }
    return promise;
  }

  #open(): number {
    // Writable: Windows syncs no other.
    this.#descriptor ??= openSync(this.#file, "r+");
    return this.#descriptor;
  }
}

function ignore(): void {}
