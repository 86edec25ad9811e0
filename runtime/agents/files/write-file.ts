/** Writes, moves and deletes files below a root; each change is told as a diff. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { filesError } from "./files-error.ts";
import { readWhole } from "./read-file.ts";
import { noSuchFile, type OpenFolder, type RootedFiles, refused } from "./rooted-files.ts";

/** A change of a file, with its diff in the unified form. */
export interface FileChange {
  readonly path: string;
  readonly bytes: number;
  readonly diff: string;
}

/** Counts the bytes that tools write, against the most that they may. */
export class WriteQuota {
  #left: number;

  constructor(bytesMax: number) {
    this.#left = bytesMax;
  }

  /** Throws M8323 where so many bytes are more than are left. */
  take(bytes: number): void {
    if (bytes > this.#left)
      throw filesError("M8323", {
        message: `${bytes} bytes are more than the ${this.#left} that may still be written`,
      });
    this.#left -= bytes;
  }
}

/** Replaces the text of a file, or makes the file and the folders above it. */
export async function writeText(
  files: RootedFiles,
  {
    path,
    text,
    quota,
  }: { readonly path: string; readonly text: string; readonly quota: WriteQuota },
): Promise<FileChange> {
  const before = await textBefore(files, path);
  const bytes = Buffer.byteLength(text);
  quota.take(bytes);
  await files.inFolderOf(path, (folder, name) => replaceFile(folder, name, text), true);
  return { path, bytes, diff: diffOf(path, before, text) };
}

/** Returns the text that a file has, empty where there is none. */
export async function textBefore(files: RootedFiles, path: string): Promise<string> {
  try {
    return await readWhole(files, path);
  } catch (thrown) {
    if ((thrown as { readonly code?: unknown }).code === "M8321") return "";
    throw thrown;
  }
}

/**
 * Puts a new file in the place of the old one: a reader sees the old text or the new one, and what else the old one was linked to
 * stays as it is. A new file gets the rights of `mode`.
 */
export async function replaceFile(
  { path }: OpenFolder,
  name: string,
  content: string | Uint8Array,
  mode = 0o644,
): Promise<void> {
  const target = join(path, name);
  const before = await lstat(target).catch(() => undefined);
  if (before !== undefined && !before.isFile()) throw refused(name, "it is no file");
  const draft = join(path, `.${randomUUID()}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(draft, flags, before === undefined ? mode : before.mode & 0o777);
  try {
    await file.writeFile(content);
    await file.close();
    await rename(draft, target);
  } catch (thrown) {
    await file.close().catch(() => {});
    await unlink(draft).catch(() => {});
    throw thrown;
  }
}

/** Replaces the one place at which a text stands in a file. Throws M8322 where it stands nowhere, or more than once. */
export async function editText(
  files: RootedFiles,
  edit: {
    readonly path: string;
    readonly old: string;
    readonly new: string;
    readonly quota: WriteQuota;
  },
): Promise<FileChange> {
  const { path, old, quota } = edit;
  const before = await readWhole(files, path);
  const places = old === "" ? 0 : before.split(old).length - 1;
  if (places !== 1) {
    const hint =
      places === 0
        ? "read the file again and copy the text exactly"
        : "give more of what stands around it";
    throw filesError("M8322", { message: `the text stands ${places} times in "${path}"`, hint });
  }
  const at = before.indexOf(old);
  const text = `${before.slice(0, at)}${edit.new}${before.slice(at + old.length)}`;
  return writeText(files, { path, text, quota });
}

/** Moves a file. Throws M8325 where one is at its new place. */
export async function moveFile(files: RootedFiles, from: string, to: string): Promise<void> {
  await files.inFolderOf(from, async (folder, name) => {
    await assertFile(folder, name, from);
    await files.inFolderOf(
      to,
      async (other, newName) => {
        const target = join(other.path, newName);
        if ((await lstat(target).catch(() => undefined)) !== undefined)
          throw filesError("M8325", { message: `there is a "${to}" already` });
        await rename(join(folder.path, name), target);
      },
      true,
    );
  });
}

/** Deletes a file and returns the diff of it. */
export async function deleteFile(files: RootedFiles, path: string): Promise<FileChange> {
  const before = await readWhole(files, path);
  await files.inFolderOf(path, async (folder, name) => {
    await assertFile(folder, name, path);
    await unlink(join(folder.path, name));
  });
  return { path, bytes: 0, diff: diffOf(path, before, "") };
}

async function assertFile({ path: folder }: OpenFolder, name: string, path: string): Promise<void> {
  const stats = await lstat(join(folder, name)).catch((cause) => {
    throw noSuchFile(path, cause);
  });
  if (!stats.isFile()) throw refused(path, "it is no file");
}

/** Returns how a text has changed, in the unified form. */
export function diffOf(path: string, before: string, after: string): string {
  return (
    createTwoFilesPatch(path, path, before, after, undefined, undefined, {
      context: 3,
      timeout: 1_000,
    }) ?? `--- ${path}\n+++ ${path}\n(too different to be compared in a second)\n`
  );
}
