/** Opens files below one folder, step by step, so that no link and no race leads out of it. */
import { constants, realpathSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { filesError } from "./files-error.ts";
import { isSecretPath } from "./secret-paths.ts";

/** A folder that is open: what is done through `path` is done in that folder, whatever takes its name meanwhile. */
export interface OpenFolder {
  readonly path: string;
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A pipe that nobody writes would be waited for. */
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The files below a root. No link is followed, and files of secrets are not reached. */
export class RootedFiles {
  readonly #root: string;

  /** `root` may itself be a link: it is followed once. Throws M8320 where it is no folder. */
  constructor(root: string) {
    if (process.platform !== "linux")
      throw filesError("M8320", {
        message: "tools for files need Linux: elsewhere no folder can be held open",
      });
    try {
      this.#root = realpathSync(root);
    } catch (cause) {
      throw filesError("M8320", { message: `the root "${root}" can't be opened`, cause });
    }
  }

  /** Opens the folder of a path and does `work` in it. The last part of the path is not looked at. */
  async inFolderOf<T>(
    path: string,
    work: (folder: OpenFolder, name: string) => Promise<T>,
    isMade = false,
  ): Promise<T> {
    const parts = partsOf(path);
    const name = parts.pop();
    if (name === undefined) throw refused(path, "it is the root itself");
    return this.#inFolder(parts, path, isMade, (folder) => work(folder, name));
  }

  /** Opens a folder and does `work` in it; an empty path is the root. */
  async inFolder<T>(path: string, work: (folder: OpenFolder) => Promise<T>): Promise<T> {
    return this.#inFolder(partsOf(path), path, false, work);
  }

  async #inFolder<T>(
    parts: readonly string[],
    path: string,
    isMade: boolean,
    work: (folder: OpenFolder) => Promise<T>,
  ): Promise<T> {
    let at = await openAt(this.#root, FOLDER, path);
    try {
      for (const part of parts) {
        const below = join(pathOf(at), part);
        if (isMade) await makeFolder(below);
        const next = await openAt(below, FOLDER, path);
        await at.close();
        at = next;
      }
      return await work({ path: pathOf(at) });
    } finally {
      await at.close();
    }
  }
}

/** Opens a file in an open folder and does `work` with it. Throws M8320 for a link or what is no file, M8321 where there is none. */
export async function withFile<T>(
  folder: OpenFolder,
  name: string,
  work: (file: FileHandle, stats: Stats) => Promise<T>,
): Promise<T> {
  const file = await openAt(join(folder.path, name), FILE, name);
  try {
    const stats = await file.stat();
    // Devices and pipes have no end, or do something when they are read.
    if (!stats.isFile()) throw refused(name, "it is no file");
    return await work(file, stats);
  } finally {
    await file.close();
  }
}

/** The parts of a path within the root. Throws M8320 for one that leads out, or to secrets. */
function partsOf(path: string): string[] {
  if (path.includes("\0")) throw refused(path, "it has a zero character");
  if (path.startsWith("/") || path.startsWith("~"))
    throw refused(path, "it does not start at the root of the files");
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw refused(path, "it leads upwards");
  if (isSecretPath(path))
    throw refused(path, "files of keys, passwords and histories are not reached");
  return parts;
}

async function openAt(place: string, flags: number, path: string): Promise<FileHandle> {
  try {
    return await open(place, flags);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") throw noSuchFile(path, cause);
    if (code === "ELOOP") throw refused(path, "links are not followed", cause);
    if (code === "ENOTDIR") throw refused(path, "a part of it is no folder, or a link", cause);
    throw refused(path, `it can't be opened (${code})`, cause);
  }
}

async function makeFolder(place: string): Promise<void> {
  const { mkdir } = await import("node:fs/promises");
  await mkdir(place).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EEXIST")
      throw refused(place, `the folder can't be made (${cause.code})`, cause);
  });
}

function pathOf({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}

export function refused(path: string, why: string, cause?: unknown): Error {
  return filesError("M8320", { message: `"${path}" is not reached: ${why}`, cause });
}

export function noSuchFile(path: string, cause?: unknown): Error {
  const hint = "`files.list` says what is there";
  return filesError("M8321", { message: `there is no "${path}"`, hint, cause });
}
