/** Reads texts of files, in stretches of lines. */
import type { FileHandle } from "node:fs/promises";
import { filesError } from "./files-error.ts";
import { type RootedFiles, withFile } from "./rooted-files.ts";

/** A stretch of a file, by lines from 1. */
export interface FileStretch {
  readonly path: string;
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly of: number;
}

const FILE_BYTES_MAX = 8 * 1024 * 1024;
const STRETCH_CHARS_MAX = 20_000;
const LINES = 400;

/** Reads lines of a file: from `from`, at most `lines`, and at most 20,000 characters. */
export async function readStretch(
  files: RootedFiles,
  { path, ...where }: { path: string; from?: number; lines?: number },
): Promise<FileStretch> {
  const whole = (await readWhole(files, path)).split("\n");
  if (whole.length > 1 && whole.at(-1) === "") whole.pop();
  return stretchOf(path, whole, where);
}

/** Returns the lines from `from`, at most `lines`, and at most 20,000 characters. */
export function stretchOf(
  path: string,
  whole: readonly string[],
  { from = 1, lines = LINES }: { from?: number; lines?: number },
): FileStretch {
  const shown: string[] = [];
  let chars = 0;
  for (const line of whole.slice(from - 1, from - 1 + lines)) {
    if (shown.length > 0 && chars + line.length > STRETCH_CHARS_MAX) break;
    shown.push(line.slice(0, STRETCH_CHARS_MAX));
    chars += line.length + 1;
  }
  return { path, text: shown.join("\n"), from, to: from - 1 + shown.length, of: whole.length };
}

/** Reads a whole text. Throws M8323 for one that is too large, M8324 for what is no text. */
export async function readWhole(files: RootedFiles, path: string): Promise<string> {
  return decodeText(await readBytes(files, path, FILE_BYTES_MAX), path);
}

/** Reads the bytes of a file. Throws M8323 where it has more than `bytesMax`. */
export async function readBytes(
  files: RootedFiles,
  path: string,
  bytesMax: number,
): Promise<Buffer> {
  return files.inFolderOf(path, (folder, name) =>
    withFile(folder, name, async (file, { size }) => {
      if (size > bytesMax)
        throw filesError("M8323", {
          message: `"${path}" has ${size} bytes, and ${bytesMax} are read at most`,
        });
      return readStart(file, bytesMax);
    }),
  );
}

/** Reads an open file as UTF-8, at most as far as files may be read. */
export async function readText(file: FileHandle, path: string): Promise<string> {
  return decodeText(await readStart(file, FILE_BYTES_MAX), path);
}

async function readStart(file: FileHandle, bytesMax: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.min((await file.stat()).size, bytesMax));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  return buffer.subarray(0, bytesRead);
}

/** Throws M8324 for bytes that are no UTF-8, or have a zero byte. */
export function decodeText(bytes: Uint8Array, path: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Bytes that are no UTF-8 are refused below, like a text with a zero byte.
  }
  throw filesError("M8324", { message: `"${path}" is no text in UTF-8` });
}
