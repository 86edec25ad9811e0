/** Finds source files whose first line is no doc comment, or one that is no sentence. */
import { basename } from "node:path";
import type { SourceFile } from "./sources.ts";

/** Words that begin a noun clause or a pronoun without its noun, with which no header begins. */
const NOUN_CLAUSE =
  /^(?:What|Whatever|How|Whether|Where|Wherever|Of|Who|Whoever|Whom|Whose|Why|Which|That|Those|These|They|It|Its|So)\b/;

/** What is wrong with the header of each of `files`. */
export function findBadHeaders(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) => {
    const fault = headerFault(file.text);
    // A sentence is known by itself, so that a file may be renamed before its header is mended.
    if (fault === "no header") return [`${basename(file.path)}: no header`];
    return fault === undefined ? [] : [fault];
  });
}

function headerFault(text: string): string | undefined {
  // A program names its interpreter before anything else.
  const [, comment] = /^(?:#!.*\n)?\/\*\*([\s\S]*?)\*\//.exec(text) ?? [];
  if (comment === undefined) return "no header";
  const words = comment
    .replaceAll(/^\s*\*? ?/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const sentence = /^.*?\.(?= |$)/.exec(words)?.[0];
  if (sentence === undefined) return `no full stop: ${words.slice(0, 80)}`;
  if (NOUN_CLAUSE.test(sentence)) return sentence.slice(0, 80);
  if (sentence.split(" ").length < 2) return `too short: ${sentence}`;
  return undefined;
}
