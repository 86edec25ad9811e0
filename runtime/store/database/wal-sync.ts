/**
 * Syncs the write-ahead log to the disk without blocking the thread. SQLite's own way (`synchronous = FULL`) waits for the
 * disk within COMMIT; a commit with NORMAL and this sync after it survives a power cut as well.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";

/** Little enough to be written by a disk as soon as it is asked. */
const littleBytes = 96 * 1024;
/** A disk that took less the last times is waited for: another thread would take as long to hear of it and to say so. */
const quickMs = 2;
const quickTimes = 4;
/** So often the other thread waits for one that took longer, before this one looks again. */
const slowTimes = 64;

export class WalSync {
  readonly #file: string;
  readonly #now: () => number;
  /** Closing it drops no lock of SQLite: it locks the other two files. */
  #descriptor: number | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** Not synced, as far as this process wrote it. */
  #bytes = 0;
  /** The number of further quick syncs before this thread waits for one. */
  #toBeQuick = quickTimes;

  /** `file` is the write-ahead log; it is there as long as a connection is open that has written. */
  constructor(file: string, now: () => number = () => performance.now()) {
    this.#file = file;
    this.#now = now;
  }

  /** The log's; nothing before the first sync. */
  get descriptor(): number | undefined {
    return this.#descriptor;
  }

  wrote(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Resolves when everything that is committed by now is on the disk; `alone` when nobody but who asks would be held up. */
  sync({ alone = false }: { readonly alone?: boolean } = {}): Promise<void> {
    // One that is under way may have begun before the last commit.
    if (this.#running === undefined) return alone && this.#isQuick() ? this.#here() : this.#begin();
    this.#next ??= this.#running.then(ignore, ignore).then(() => {
      this.#next = undefined;
      return this.#begin();
    });
    return this.#next;
  }

  /** The same, with the thread held up. */
  syncNow(): void {
    fdatasyncSync(this.#open());
    this.#bytes = 0;
  }

  close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor === undefined) return;
    if (this.#running === undefined) closeSync(descriptor);
    else void this.#running.then(ignore, ignore).then(() => closeSync(descriptor));
  }

  #isQuick(): boolean {
    return this.#toBeQuick === 0 && this.#bytes <= littleBytes;
  }

  async #here(): Promise<void> {
    const begun = this.#now();
    this.syncNow();
    this.#took(this.#now() - begun);
  }

  #begin(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#running = promise;
    try {
      const begun = this.#now();
      const isLittle = this.#bytes <= littleBytes;
      this.#bytes = 0;
      fdatasync(this.#open(), (error) => {
        this.#running = undefined;
        if (isLittle) this.#took(this.#now() - begun);
        if (error === null) resolve();
        else reject(error);
      });
    } catch (error) {
      this.#running = undefined;
      reject(error);
    }
    return promise;
  }

  #took(ms: number): void {
    if (ms <= quickMs) this.#toBeQuick = Math.max(0, this.#toBeQuick - 1);
    else this.#toBeQuick = slowTimes;
  }

  #open(): number {
    // Writable: Windows syncs no other.
    this.#descriptor ??= openSync(this.#file, "r+");
    return this.#descriptor;
  }
}

function ignore(): void {}
