/** Shows of a matching text the lines that match best. */
import { termsOf, tokensOf } from "../words/words.ts";

const SNIPPET_CHARS = 400;

/** Whole lines of `text`, about 400 characters, around the line with the most words of `query`: literal. */
export function snippetOf(text: string, query: string): string {
  const asked = new Set(tokensOf(query).flatMap(termsOf));
  const lines = text.split("\n");
  let at = 0;
  let most = -1;
  for (const [number, line] of lines.entries()) {
    const found = countTerms(line, asked);
    if (found > most && line.trim() !== "") [most, at] = [found, number];
  }
  return widen(lines, at).trim();
}

function countTerms(line: string, asked: ReadonlySet<string>): number {
  return [...new Set(tokensOf(line).flatMap(termsOf))].filter((term) => asked.has(term)).length;
}

/** Takes lines below and above in turn until the snippet is full. */
function widen(lines: readonly string[], at: number): string {
  let [start, end] = [at, at + 1];
  let room = SNIPPET_CHARS - (lines[at]?.length ?? 0);
  for (let grown = true; grown; ) {
    grown = false;
    const below = lines[end];
    if (below !== undefined && below.length < room) {
      room -= below.length + 1;
      end += 1;
      grown = true;
    }
    const above = lines[start - 1];
    if (above !== undefined && above.length < room) {
      room -= above.length + 1;
      start -= 1;
      grown = true;
    }
  }
  return lines
    .slice(start, end)
    .join("\n")
    .slice(0, SNIPPET_CHARS * 4);
}
