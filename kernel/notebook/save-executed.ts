/** Writes an executed notebook, and its page, where the outputs of the workspace are. */
import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
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

/** All of it or nothing: a reader never sees half a file. Throws M7208 where it can't be written. */
export function writeWhole(path: string, text: string | Uint8Array): void {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    writeFileSync(unfinished, text, { mode: 0o600 });
    renameSync(unfinished, path);
  } catch (cause) {
    rmSync(unfinished, { force: true });
    throw notWritten(dirname(path), cause);
  }
}

function notWritten(folder: string, cause: unknown): CommandError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CommandError("M7208", `the notebook can't be written: ${reason}`, {
    hint: `check that you may write to ${folder}; \`madrigal exec\` takes another folder by \`--out DIR\``,
    cause,
  });
}
