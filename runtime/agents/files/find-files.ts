/** Walks the files below a root: lists them, finds them by patterns and by words in them. */
import type { Dirent, Stats } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, matchesGlob } from "node:path";
import { nearest } from "../../../dsl/index.ts";
import { readText } from "./read-file.ts";
import { type OpenFolder, type RootedFiles, withFile } from "./rooted-files.ts";
import { isSecretPath } from "./secret-paths.ts";

/** One entry of a folder. */
export interface FileEntry {
  readonly path: string;
  readonly kind: "file" | "folder" | "other";
}

/** The things found; `isCut` says that there are more than are shown. */
export interface FoundFiles<T> {
  readonly found: readonly T[];
  readonly isCut: boolean;
}

/** A line with the words that were looked for. */
export interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

const ENTRIES_MAX = 500;
const CLOSEST_MAX = 20;
/** The distance of a name that differs in a few letters. */
const MISSPELT = 4;
const VISITED_MAX = 20_000;
const LINE_CHARS_MAX = 400;
const SEARCHED_BYTES_MAX = 1024 * 1024;

/** Lists one folder, by name. */
export async function listFolder(files: RootedFiles, path: string): Promise<FoundFiles<FileEntry>> {
  const all = await files.inFolder(path, (folder) => entriesOf(folder, path));
  return { found: all.slice(0, ENTRIES_MAX), isCut: all.length > ENTRIES_MAX };
}

/** Finds the files whose path fits a pattern such as `docs/*.md`. */
export async function globFiles(
  files: RootedFiles,
  pattern: string,
  signal: AbortSignal,
): Promise<FoundFiles<string>> {
  const found: string[] = [];
  const isWhole = await walk(files, { signal }, async ({ path }) => {
    if (matchesGlob(path, pattern)) found.push(path);
    return found.length < ENTRIES_MAX;
  });
  return { found, isCut: !isWhole };
}

/**
 * Finds the files whose name or path is closest to what is asked: at most 20, closest first. Letters may be in any case, `*` and `?`
 * stand for others, and where nothing has the name as it is written, names with a few other letters are found.
 */
export async function findNamed(
  files: RootedFiles,
  name: string,
  signal: AbortSignal,
): Promise<FoundFiles<string>> {
  const wanted = name.toLowerCase();
  const all: { readonly path: string; readonly distance: number }[] = [];
  const isWhole = await walk(files, { signal }, async ({ path }) => {
    const distance = nameDistance(wanted, path.toLowerCase());
    if (distance !== undefined) all.push({ path, distance });
    return true;
  });
  const asWritten = all.filter(({ distance }) => distance < MISSPELT);
  const found = asWritten.length > 0 ? asWritten : all;
  found.sort((a, b) => a.distance - b.distance || a.path.length - b.path.length);
  return {
    found: found.slice(0, CLOSEST_MAX).map(({ path }) => path),
    isCut: !isWhole || found.length > CLOSEST_MAX,
  };
}

/** Returns how far a path is from what is wanted, 0 for the name itself; undefined where it is not meant. */
function nameDistance(wanted: string, path: string): number | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === wanted || path === wanted) return 0;
  if (/[*?]/.test(wanted))
    return matchesGlob(name, wanted) || matchesGlob(path, wanted) ? 1 : undefined;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  if (path.includes(wanted)) return 3;
  return nearest(wanted, [name, name.replace(/\.\w+$/, "")]) === undefined ? undefined : MISSPELT;
}

/** Finds lines that have a text in them, as it is written; of files that fit `pattern` only, where there is one. */
export async function grepFiles(
  files: RootedFiles,
  asked: { readonly text: string; readonly pattern?: string; readonly ignoreCase?: boolean },
  signal: AbortSignal,
): Promise<FoundFiles<FoundLine>> {
  const { text, pattern, ignoreCase = false } = asked;
  const plain = (one: string) => (ignoreCase ? one.toLowerCase() : one);
  const wanted = plain(text);
  const found: FoundLine[] = [];
  const isWhole = await walk(files, { signal }, async ({ path }, folder, name) => {
    if (pattern !== undefined && !matchesGlob(path, pattern)) return true;
    const whole = await textToSearch(folder, name);
    for (const [at, line] of (whole ?? "").split("\n").entries()) {
      if (!plain(line).includes(wanted)) continue;
      found.push({ path, line: at + 1, text: line.slice(0, LINE_CHARS_MAX) });
      if (found.length >= ENTRIES_MAX) return false;
    }
    return true;
  });
  return { found, isCut: !isWhole };
}

/** Returns nothing of a file that vanished, is no text or is too large. */
async function textToSearch(folder: OpenFolder, name: string): Promise<string | undefined> {
  try {
    return await withFile(folder, name, async (file, { size }: Stats) =>
      size > SEARCHED_BYTES_MAX ? undefined : readText(file, name),
    );
  } catch {
    return undefined;
  }
}

/** The way of a walk. */
export interface FileWalk {
  readonly signal: AbortSignal;
  /** Tells by its name whether a folder is left out. */
  readonly isPassed?: (name: string) => boolean;
}

/** Visits each file below the root until `visit` returns false. Returns whether all were visited. */
export async function walk(
  files: RootedFiles,
  { signal, isPassed }: FileWalk,
  visit: (entry: FileEntry, folder: OpenFolder, name: string) => Promise<boolean>,
): Promise<boolean> {
  const folders = [""];
  let visited = 0;
  for (let path = folders.shift(); path !== undefined; path = folders.shift()) {
    signal.throwIfAborted();
    const here = path;
    const isWhole = await files.inFolder(here, async (folder) => {
      for (const entry of await entriesOf(folder, here)) {
        visited += 1;
        if (visited > VISITED_MAX) return false;
        const name = entry.path.split("/").at(-1) ?? "";
        if (entry.kind === "folder" && isPassed?.(name) !== true) folders.push(entry.path);
        if (entry.kind === "file" && !(await visit(entry, folder, name))) return false;
      }
      return true;
    });
    if (!isWhole) return false;
  }
  return true;
}

async function entriesOf(folder: OpenFolder, path: string): Promise<FileEntry[]> {
  const entries = await readdir(folder.path, { withFileTypes: true });
  return entries
    .map((entry) => ({ path: join(path, entry.name), kind: kindOf(entry) }))
    .filter((entry) => !isSecretPath(entry.path))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function kindOf(entry: Dirent): FileEntry["kind"] {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : "other";
}
