/** Syncs written files to the disk in other threads, so that the caller does not wait for the disk. */
import { close, closeSync, fsync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";

/** So many descriptors are open at once; beyond that this thread waits. */
const underWayMax = 64;

export class BlobSyncs {
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #onDisk = new Set<string>();
  readonly #failed = new Map<string, unknown>();

  /** Returns whether a file needs no new write: it exists, will exist, or `finish` rejects with the reason. */
  has(path: string): boolean {
    return this.#onDisk.has(path) || this.#underWay.has(path) || this.#failed.has(path);
  }

  /** It is gone. */
  forget(path: string): void {
    this.#onDisk.delete(path);
    this.#underWay.delete(path);
    this.#failed.delete(path);
  }

  /** Takes over a descriptor of a file that has its name. */
  begin(path: string, descriptor: number): void {
    if (this.#underWay.size >= underWayMax) {
      closeSync(descriptor);
      syncNow(path);
      this.#onDisk.add(path);
      return;
    }
    const done: Promise<void> = synced(path, descriptor).then(
      () => this.#settle(path, done),
      (error) => this.#settle(path, done, { error }),
    );
    this.#underWay.set(path, done);
  }

  /** Resolves, never rejects, when those that are under way have come to something; nothing where none is. */
  settled(): Promise<unknown> | undefined {
    return this.#underWay.size === 0 ? undefined : Promise.all(this.#underWay.values());
  }

  /** Returns when all are on the disk; throws what kept one from it, and which one has to be written again. */
  finish(lost: (path: string) => void): void {
    for (const path of [...this.#underWay.keys()]) {
      syncNow(path);
      this.#underWay.delete(path);
      this.#onDisk.add(path);
    }
    for (const [path, error] of this.#failed) {
      this.#failed.delete(path);
      lost(path);
      throw error;
    }
  }

  #settle(path: string, done: Promise<void>, failure?: { readonly error: unknown }): void {
    // It was finished meanwhile, or begun again.
    if (this.#underWay.get(path) !== done) return;
    this.#underWay.delete(path);
    if (failure === undefined) this.#onDisk.add(path);
    else this.#failed.set(path, failure.error);
  }
}

async function synced(path: string, descriptor: number): Promise<void> {
  try {
    await promisify(fsync)(descriptor);
  } finally {
    await promisify(close)(descriptor);
  }
  // Windows can't open a folder; its file systems keep renames in order themselves.
  if (process.platform === "win32") return;
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function syncNow(path: string): void {
  const folders = process.platform === "win32" ? [] : ([[dirname(path), "r"]] as const);
  for (const [each, how] of [[path, "r+"] as const, ...folders]) {
    const descriptor = openSync(each, how);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}
