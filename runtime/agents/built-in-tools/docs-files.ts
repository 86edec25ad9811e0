/** Finds the documents of installed packages: what a folder like `node_modules` holds to read. */
import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { docsError } from "./docs-error.ts";

/** One document, before it is read. */
export interface DocumentFile {
  readonly package: string;
  /** Relative to the root, with `/`. */
  readonly file: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** Packages that document little keep their texts at the top; no text worth a citation lies in these. */
const FOLDERS_SKIPPED = new Set(
  `__fixtures__ __mocks__ __tests__ bench benchmark benchmarks bin build cjs coverage dist esm example examples fixtures
  lib lib-cov locales node_modules src test testdata tests types umd vendor`.split(/\s+/),
);

const FILES_SKIPPED =
  /^(?:authors?|breaking[-_ ]changes|change-?log|changes|code[-_ ]of[-_ ]conduct|contributing|contributors|governance|history|licen[cs]e.*|news|notices?|releases?|security|third[-_ ]party.*|todo|upgrad(?:e|ing))$/i;

const TRANSLATION = /^readme[._-][a-z]{2}(?:-[a-z]{2,4})?$/i;

/**
 * Lists the documents of every package under `root`, sorted by file. Links that lead out of `root` are not followed
 * (a workspace linked into its own `node_modules` would otherwise list itself), nor links inside a package.
 */
export function findDocuments(root: string): DocumentFile[] {
  const inside = realRoot(root) + sep;
  const found: DocumentFile[] = [];
  for (const { name, folder } of findPackages(root, inside)) {
    collect(found, { name, folder, prefix: folder.slice(root.length + 1).replaceAll(sep, "/") });
  }
  return found.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
}

/** The same by their files. */
export function documentsIn(root: string): Map<string, DocumentFile> {
  return new Map(findDocuments(root).map((document) => [document.file, document]));
}

function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch (cause) {
    const message = `the documents in "${root}" cannot be read`;
    throw docsError("M8403", { message, hint: "install the packages first", cause });
  }
}

interface Package {
  readonly name: string;
  readonly folder: string;
}

function findPackages(root: string, inside: string): Package[] {
  const packages: Package[] = [];
  for (const entry of entriesOf(root)) {
    if (entry.name.startsWith(".")) continue;
    const folder = join(root, entry.name);
    if (entry.name.startsWith("@") && entry.isDirectory()) {
      for (const scoped of entriesOf(folder)) {
        packages.push({ name: `${entry.name}/${scoped.name}`, folder: join(folder, scoped.name) });
      }
    } else {
      packages.push({ name: entry.name, folder });
    }
  }
  return packages.filter(({ folder }) => isFolderInside(folder, inside));
}

function isFolderInside(folder: string, inside: string): boolean {
  try {
    return statSync(folder).isDirectory() && realpathSync(folder).startsWith(inside);
  } catch {
    return false; // A link that leads nowhere.
  }
}

function collect(found: DocumentFile[], place: Package & { readonly prefix: string }): void {
  for (const entry of entriesOf(place.folder)) {
    const path = join(place.folder, entry.name);
    const file = `${place.prefix}/${entry.name}`;
    if (entry.isDirectory()) {
      if (FOLDERS_SKIPPED.has(entry.name) || entry.name.startsWith(".")) continue;
      collect(found, { name: place.name, folder: path, prefix: file });
    } else if (entry.isFile() && isDocument(entry.name)) {
      const { size, mtimeMs } = statSync(path);
      found.push({ package: place.name, file, size, modifiedMs: mtimeMs });
    }
  }
}

/** Returns whether a file name is a document's: Markdown, but no change log, licence or translation. */
export function isDocument(name: string): boolean {
  const stem = /^(.+)\.mdx?$/i.exec(name)?.[1];
  return stem !== undefined && !FILES_SKIPPED.test(stem) && !TRANSLATION.test(stem);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Removed or unreadable since it was listed: it has nothing to cite.
  }
}
