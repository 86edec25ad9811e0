import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  futimesSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Clock } from "../clock.ts";
import { storageError } from "./sqlite-error.ts";
import type { Blobs } from "./tables.ts";
import { makePrivateFolder } from "./workspace.ts";

/** Content as `folder/<2 hex>/<sha256>`, last put when it was last changed; the folder is made with its first content. */
export function fileBlobs(folder: string, clock: Pick<Clock, "now">): Blobs {
  return {
    put(hash, bytes) {
      const path = pathOf(folder, hash);
      // A file has its final name only when it is whole, so one that is there needs no second look.
      if (!isTouched(path, clock.now())) writeWhole(path, { bytes, putAt: clock.now() });
    },
    get(hash) {
      return readIfThere(pathOf(folder, hash));
    },
    list() {
      return filesIn(folder).flatMap((path) => {
        const hash = basename(path);
        return isHash(hash) ? [{ hash, bytes: statSync(path).size }] : [];
      });
    },
    remove(hash, before) {
      const path = pathOf(folder, hash);
      try {
        if (statSync(path).mtimeMs >= before) return false;
        rmSync(path);
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw storageError(error, path);
      }
    },
  };
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** False where there is none. */
function isTouched(path: string, now: number): boolean {
  try {
    utimesSync(path, now / 1_000, now / 1_000);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    // Somebody else's, or on a disk that is closed to us: it is there.
    return existsSync(path);
  }
}

function isHash(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

function pathOf(folder: string, hash: string): string {
  if (!isHash(hash)) throw new TypeError(`not a sha256: ${hash}`);
  return join(folder, hash.slice(0, 2), hash);
}

interface Content {
  readonly bytes: Uint8Array;
  readonly putAt: number;
}

function writeWhole(path: string, content: Content): void {
  makePrivateFolder(dirname(dirname(path)));
  makePrivateFolder(dirname(path));
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    writeSynced(unfinished, content);
    renameSync(unfinished, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw storageError(error, path);
  }
}

function writeSynced(path: string, { bytes, putAt }: Content): void {
  const file = openSync(path, "w", 0o600);
  try {
    // A umask can take more away than others' rights.
    fchmodSync(file, 0o600);
    writeFileSync(file, bytes);
    futimesSync(file, putAt / 1_000, putAt / 1_000);
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
    if (isMissing(error)) return undefined;
    throw storageError(error, path);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
