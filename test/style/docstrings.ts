/** Finds doc comments that begin with a noun clause: they say neither what a function returns nor what a field holds. */
import type { SourceFile } from "./sources.ts";

const NOUN_CLAUSE =
  /\/\*\*\s*(?:\*\s*)?((?:What|Whatever|How|Where|Wherever|Whether|Who|Whoever|Whom|Whose|Which|When|Whenever|Why)\b[^\n]{0,80})/g;

/** Returns the place and the beginning of each such comment in `files`. */
export function findNounClauses(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(NOUN_CLAUSE)].map(({ index, 1: words = "" }) => {
      const line = text.slice(0, index).split("\n").length;
      return `${path}:${line}: ${words.replace(/\s*\*\/.*$/, "")}`;
    }),
  );
}
