/** Takes, puts and removes whole files below a root, whatever their bytes are. */
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { filesError } from "../files-error.ts";
import { type RootedFiles, withFile } from "../rooted-files.ts";
import { replaceFile } from "../write-file.ts";

/** A file as a whole. */
export interface FileBytes {
  readonly bytes: Buffer;
  /** Its rights, as of `chmod`. */
  readonly mode: number;
}

/** Returns a file; undefined where there is none, or a link or something else in its place. Throws M8323 for more bytes. */
export async function takeBytes(
  files: RootedFiles,
  path: string,
  bytesMax: number,
): Promise<FileBytes | undefined> {
  const take = (folder: { readonly path: string }, name: string) =>
    withFile(folder, name, async (file, { mode, size }) => {
      if (size > bytesMax)
        throw filesError("M8323", {
          message: `"${path}" has ${size} bytes, and ${bytesMax} are taken at most`,
        });
      return { bytes: await file.readFile(), mode: mode & 0o777 };
    });
  return files.inFolderOf(path, take).catch((thrown) => {
    if (/^M832[01]$/.test((thrown as { readonly code?: string }).code ?? "")) return undefined;
    throw thrown;
  });
}

/** Puts a file into the place of the old one at once, or makes it and the folders above it. */
export async function putBytes(files: RootedFiles, path: string, one: FileBytes): Promise<void> {
  const { bytes, mode } = one;
  await files.inFolderOf(path, (folder, name) => replaceFile(folder, name, bytes, mode), true);
}

/** Removes a file; one that is not there is none. */
export async function removeBytes(files: RootedFiles, path: string): Promise<void> {
  const remove = (folder: { readonly path: string }, name: string) =>
    unlink(join(folder.path, name));
  await files.inFolderOf(path, remove).catch((thrown) => {
    const { code = "" } = thrown as { readonly code?: string };
    if (code !== "ENOENT" && code !== "M8321") throw thrown;
  });
}
