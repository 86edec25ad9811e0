/** Keeps content-addressed bytes as files of a folder: one file a hash, written whole or not at all. */
import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fchmodSync,
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
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../clock.ts";
import { storageError } from "../database/sqlite-error.ts";
import type { Blobs } from "../database/tables.ts";
import { makePrivateFolder } from "../workspace.ts";
import { BlobSyncs } from "./blob-syncs.ts";
import { abandonedOf, removeAbandoned, unfinishedName } from "./unfinished.ts";

/**
 * Content as `folder/<2 hex>/<sha256>`, last put when it was last changed; the folder is made with its first content. A file has
 * its name before it is on the disk: after a power cut it can have it and lack content, so one that this store has
 * not brought there is compared when it is put again.
 */
export function fileBlobs(folder: string, clock: Pick<Clock, "now">): Blobs {
  const syncs = new BlobSyncs();
  return {
    put(hash, bytes) {
      const path = pathOf(folder, hash);
      const isThere = isTouched(path, clock.now());
      if (isThere && syncs.has(path)) return;
      const content = { bytes, putAt: clock.now() };
      const descriptor = isThere && isWhole(path, bytes) ? opened(path) : written(path, content);
      if (descriptor !== undefined) syncs.begin(path, descriptor);
    },
    async putPieces(pieces) {
      const hash = createHash("sha256");
      let bytes = 0;
      const unfinished = unfinishedName(pathOf(folder, randomBytes(32).toString("hex")));
      try {
        makePrivateFolder(folder);
        makePrivateFolder(dirname(unfinished));
        const file = openSync(unfinished, "w", 0o600);
        try {
          fchmodSync(file, 0o600);
          for (const piece of pieces) {
            hash.update(piece);
            writeFileSync(file, piece);
            bytes += piece.length;
            // Others have their turn between the pieces.
            await setImmediate();
          }
          futimesSync(file, clock.now() / 1_000, clock.now() / 1_000);
          const digest = hash.digest("hex");
          const path = pathOf(folder, digest);
          makePrivateFolder(dirname(path));
          renameSync(unfinished, path);
          syncs.begin(path, file);
          return { hash: digest, bytes };
        } catch (error) {
          closeSync(file);
          throw error;
        }
      } catch (error) {
        rmSync(unfinished, { force: true });
        throw storageError(error, folder);
      }
    },
    touch: (hash) => isTouched(pathOf(folder, hash), clock.now()),
    synced: () => syncs.settled(),
    syncNow() {
      try {
        syncs.finish((path) => rmSync(path, { force: true }));
      } catch (error) {
        throw storageError(error, folder);
      }
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
        syncs.forget(path);
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw storageError(error, path);
      }
    },
    removeAbandoned(before) {
      for (const path of filesIn(folder)) {
        const whole = abandonedOf(path);
        if (whole !== undefined && isHash(basename(whole))) removeAbandoned(whole, before);
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

interface BlobContent {
  readonly bytes: Uint8Array;
  readonly putAt: number;
}

function isWhole(path: string, bytes: Uint8Array): boolean {
  const there = readIfThere(path);
  return there !== undefined && Buffer.compare(there, bytes) === 0;
}

/** Of a file that is there; nothing where it is closed to us. */
function opened(path: string): number | undefined {
  try {
    // Writable: Windows syncs no other.
    return openSync(path, "r+");
  } catch {
    return undefined;
  }
}

/** Writes it under its name, and gives it open. */
function written(path: string, content: BlobContent): number {
  makePrivateFolder(dirname(dirname(path)));
  makePrivateFolder(dirname(path));
  const unfinished = unfinishedName(path);
  try {
    const descriptor = filled(unfinished, content);
    renameSync(unfinished, path);
    return descriptor;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw storageError(error, path);
  }
}

function filled(path: string, { bytes, putAt }: BlobContent): number {
  const file = openSync(path, "w", 0o600);
  try {
    // A umask can take more away than others' rights.
    fchmodSync(file, 0o600);
    writeFileSync(file, bytes);
    futimesSync(file, putAt / 1_000, putAt / 1_000);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
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
