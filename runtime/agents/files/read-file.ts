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
  { path, from = 1, lines = LINES }: { path: string; from?: number; lines?: number },
): Promise<FileStretch> {
  const whole = (await readWhole(files, path)).split("\n");
  if (whole.length > 1 && whole.at(-1) === "") whole.pop();
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
  return files.inFolderOf(path, (folder, name) =>
    withFile(folder, name, async (file, { size }) => {
      if (size > FILE_BYTES_MAX)
        throw filesError("M8323", {
          message: `"${path}" has ${size} bytes, and ${FILE_BYTES_MAX} are read at most`,
        });
      return readText(file, path);
    }),
  );
}

/** Reads an open file as UTF-8, at most as far as files may be read. */
export async function readText(file: FileHandle, path: string): Promise<string> {
  const buffer = Buffer.alloc(Math.min((await file.stat()).size, FILE_BYTES_MAX));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  const bytes = buffer.subarray(0, bytesRead);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Bytes that are no UTF-8 are refused below, like a text with a zero byte.
  }
  throw filesError("M8324", { message: `"${path}" is no text in UTF-8` });
}
