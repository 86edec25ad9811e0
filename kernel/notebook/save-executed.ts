/** Writes an executed notebook, and its page, where the outputs of the workspace are. */
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { CommandError } from "../command-error.ts";
import type { NotebookFile } from "./notebook.ts";
import { notebookPage } from "./page/page.ts";
import { isTextForm, TEXT_SUFFIX } from "./text-form.ts";
import { writeNotebook } from "./write-notebook.ts";

export interface Saved {
  readonly notebook: string;
  readonly page?: string;
}

export interface SaveOptions {
  /** The file that the notebook was read from, which names what is written. */
  readonly file: string;
  readonly outDir: string;
  readonly isPage: boolean;
}

/** The path of the notebook that `saveExecuted` writes. */
export function executedPath(file: string, outDir: string): string {
  return join(outDir, `${nameOfNotebook(file)}.ipynb`);
}

/** The file's name without its ending. */
export function nameOfNotebook(file: string): string {
  return basename(file, isTextForm(file) ? TEXT_SUFFIX : extname(file));
}

export function saveExecuted(notebook: NotebookFile, { file, outDir, isPage }: SaveOptions): Saved {
  const name = nameOfNotebook(file);
  const saved = { notebook: executedPath(file, outDir), page: join(outDir, `${name}.html`) };
  // Made before anything is written: what is wrong in here has nothing to do with the disk.
  const texts = { notebook: writeNotebook(notebook), page: isPage && notebookPage(notebook, name) };
  try {
    // The outputs of runs may be private, as the runs themselves are.
    mkdirSync(outDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw notWritten(outDir, cause);
  }
  writeWhole(saved.notebook, texts.notebook);
  if (texts.page !== false) writeWhole(saved.page, texts.page);
  return isPage ? saved : { notebook: saved.notebook };
}

/**
 * All of it or nothing: a reader never sees half a file. A file that is there keeps its mode and owner, and a link its target; a new
 * one is private. Throws M7208 where it can't be written.
 */
export function writeWhole(path: string, text: string | Uint8Array): void {
  let unfinished: string | undefined;
  try {
    const target = targetOf(path);
    const there = statSync(target, { throwIfNoEntry: false });
    unfinished = `${target}.${randomUUID()}`;
    writeFileSync(unfinished, text, { mode: 0o600 });
    if (there !== undefined) keepAccess(unfinished, there);
    renameSync(unfinished, target);
  } catch (cause) {
    if (unfinished !== undefined) rmSync(unfinished, { force: true });
    throw notWritten(dirname(path), cause);
  }
}

/** As many links as Linux follows. */
const LINKS_MAX = 40;

/** The file that is written: links are followed, also to a file that is not there yet. */
function targetOf(path: string): string {
  let target = path;
  for (let links = 0; links < LINKS_MAX; links += 1) {
    if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw new Error(`too many links lead on from ${path}`);
}

function keepAccess(file: string, { uid, gid, mode }: Stats): void {
  const own = statSync(file);
  try {
    if (own.uid !== uid || own.gid !== gid) chownSync(file, uid, gid);
  } catch {
    // Only the superuser may give a file away.
  }
  chmodSync(file, mode & 0o777);
}

function notWritten(folder: string, cause: unknown): CommandError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CommandError("M7208", `the notebook can't be written: ${reason}`, {
    hint: `check that you may write to ${folder}; \`madrigal exec\` takes another folder by \`--out DIR\``,
    cause,
  });
}
