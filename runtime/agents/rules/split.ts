/** Splits what is asked into parts that can be looked for on their own. */
import { isRequestWord, isStopWord } from "../words/stop-words.ts";
import { isIdentifier, tokensOf } from "../words/words.ts";
import { keywordsOf, type Subject } from "./subject.ts";

/** A part of what is asked. */
export interface TextPart {
  /** The words to look for. */
  readonly query: string;
  readonly why: string;
}

/** At most `countMax` parts: first all telling words together, then the phrases that narrow the question most. */
export function splitSubject(subject: Subject, countMax: number): TextPart[] {
  const { text, keywords } = subject;
  const parts: TextPart[] = [];
  const add = (query: string, why: string) => {
    if (query !== "" && !parts.some((part) => part.query === query)) parts.push({ query, why });
  };
  add(keywords.map(({ raw }) => raw).join(" "), `the whole question: ${text}`);
  if (keywords.length > 2) {
    for (const query of phrasesOf(text))
      add(query, `“${query}” is a part of the question: ${text}`);
  }
  return parts.slice(0, countMax);
}

/** Telling words that stand together, at least two of them, most telling first; `and` and commas part them too. */
function phrasesOf(text: string): string[] {
  const phrases = runsOf(text).filter((words) => words.length > 1 && words.length < 5);
  const weight = (words: readonly string[]) =>
    keywordsOf(words.join(" "), "question").reduce((sum, keyword) => sum + keyword.weight, 0);
  return phrases.sort((a, b) => weight(b) - weight(a)).map((words) => words.join(" "));
}

function runsOf(text: string): string[][] {
  const runs: string[][] = [[]];
  for (const clause of text.split(/[,;:?!()“”"]|\.\s/)) {
    runs.push([]);
    for (const word of tokensOf(clause)) {
      if (isStopWord(word) || (isRequestWord(word) && !isIdentifier(word))) runs.push([]);
      else runs.at(-1)?.push(word);
    }
  }
  return runs;
}
