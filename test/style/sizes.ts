/** Counts the source files of each folder and the lines of each README. */
import { basename, dirname } from "node:path";
import { countFindings, type Findings } from "./findings.ts";
import type { SourceFile } from "./sources.ts";

/** The most source files that a folder may hold; aim for 20. */
export const FILES_MAX = 22;
/** The most lines that a README may have. */
export const README_LINES_MAX = 80;
/** The same of the README of the repository, which holds a program and the commands of a first try. */
const FIRST_README_LINES_MAX = 140;

/** Folders with more than `FILES_MAX` of `files`, each with how many it holds. */
export function findLargeFolders(files: readonly SourceFile[]): Findings {
  const counts = countFindings(files.map(({ path }) => dirname(path)));
  return new Map([...counts].filter(([, count]) => count > FILES_MAX));
}

/** READMEs among `files` with more lines than they may have, each with how many it has. */
export function findLongReadmes(files: readonly SourceFile[]): Findings {
  return new Map(
    files
      .filter(({ path }) => basename(path) === "README.md")
      .map(({ path, text }): [string, number] => [path, text.trimEnd().split("\n").length])
      .filter(([path, lines]) => lines > linesMax(path)),
  );
}

function linesMax(path: string): number {
  return path === "README.md" ? FIRST_README_LINES_MAX : README_LINES_MAX;
}
