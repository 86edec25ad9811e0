import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { storageError } from "./sqlite-error.ts";
import type { Blobs } from "./tables.ts";
import { makePrivateFolder } from "./workspace.ts";

/** Content as `folder/<2 hex>/<sha256>`; the folder is made with its first content. */
export function fileBlobs(folder: string): Blobs {
  return {
    put(hash, bytes) {
      const path = pathOf(folder, hash);
      // A file has its final name only when it is whole, so one that is there needs no second look.
      if (!existsSync(path)) writeWhole(path, bytes);
    },
    get(hash) {
      return readIfThere(pathOf(folder, hash));
    },
  };
}

function pathOf(folder: string, hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new TypeError(`not a sha256: ${hash}`);
  return join(folder, hash.slice(0, 2), hash);
}

function writeWhole(path: string, bytes: Uint8Array): void {
  makePrivateFolder(dirname(dirname(path)));
  makePrivateFolder(dirname(path));
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    writeSynced(unfinished, bytes);
    renameSync(unfinished, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw storageError(error, path);
  }
}

function writeSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, "w", 0o600);
  try {
    // A umask can take more away than others' rights.
    fchmodSync(file, 0o600);
    writeFileSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  // Windows can't open a folder; its file systems keep renames in order themselves.
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw storageError(error, path);
  }
}
