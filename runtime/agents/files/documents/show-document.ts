/** Shows stretches of documents, and finds words in them. */
import { filesError } from "../files-error.ts";
import { type FileStretch, stretchOf } from "../read-file.ts";
import type { RootedFiles } from "../rooted-files.ts";
import type { DocumentKind } from "./document-kinds.ts";
import { openDocument } from "./open-document.ts";

/** The input of `files.open`. */
export interface AskedDocument {
  readonly path: string;
  /** The first line, from 1, or the one from which words are looked for. */
  readonly from?: number;
  /** Words in any case; `*` stands for any others. */
  readonly find?: string;
}

/** A stretch of a document's Markdown. */
export interface DocumentStretch extends FileStretch {
  readonly kind: DocumentKind;
}

/** Shows a document from a line, or from the first line behind it that has the words. Throws M8322 where none has them. */
export async function showDocument(
  files: RootedFiles,
  { path, from = 1, find }: AskedDocument,
  signal: AbortSignal,
): Promise<DocumentStretch> {
  const { kind, lines } = await openDocument(files, path, signal);
  const found = find === undefined ? from : lineWith(lines, find, from);
  if (found === undefined)
    throw filesError("M8322", {
      message: `no line of "${path}" has "${find}", from line ${from} to its last, ${lines.length}`,
    });
  return { ...stretchOf(path, lines, { from: found }), kind };
}

/** Returns the number of the first line, at `from` or behind it, that has the words. */
function lineWith(lines: readonly string[], find: string, from: number): number | undefined {
  const parts = find.toLowerCase().split("*");
  const at = lines.findIndex((line, index) => index >= from - 1 && hasInOrder(line, parts));
  return at < 0 ? undefined : at + 1;
}

/** One search after another takes the time of the line's length, which a regular expression of many `*` would not. */
function hasInOrder(line: string, parts: readonly string[]): boolean {
  const text = line.toLowerCase();
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}
