/** Finds references to documents that are not in the repository: nobody who clones it can read them. */
import type { SourceFile } from "./sources.ts";

const OUTSIDE =
  /\b(?:DESIGN|LANGUAGE|CONTRACTS|STYLE|PRODUCT|NOTES)(?:\.md\b| §)|\breference\/[\w-]+\.md|\bshared\/(?:reviews|reference|seeds)\b/g;

/** Each reference of `files` to such a document, as `PATH: DOCUMENT`. */
export function findOutsideReferences(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(OUTSIDE)].map(([document]) => `${path}: ${document.trim()}`),
  );
}
