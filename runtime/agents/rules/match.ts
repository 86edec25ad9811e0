/** Compares keywords with texts. */
import { termsOf, tokensOf } from "../words/words.ts";
import type { SubjectKeyword } from "./subject.ts";

/** The compared forms of a text's words. */
export type Terms = ReadonlySet<string>;

/** The compared forms of the words of `text`. */
export function termSet(text: string): Terms {
  return new Set(tokensOf(text).flatMap(termsOf));
}

/**
 * Rates how well `terms` match the keyword: 1 for the word itself, less for a relative (`parser` of `parse`), 0 for
 * neither.
 */
export function matchOf(keyword: SubjectKeyword, terms: Terms): number {
  if (terms.has(keyword.stem)) return 1;
  const parts = termsOf(keyword.raw).filter((term) => term !== keyword.stem);
  if (parts.length > 0) {
    const found = parts.filter((part) => terms.has(part)).length;
    return found === parts.length ? 0.9 : 0;
  }
  for (const term of terms) if (isRelative(keyword.stem, term)) return 0.7;
  return 0;
}

function isRelative(word: string, term: string): boolean {
  const [short, long] = word.length < term.length ? [word, term] : [term, word];
  if (short.length < 4 || /[^\p{L}]/u.test(long)) return false;
  if (long.startsWith(short)) return long.length - short.length <= (short.length < 6 ? 3 : 4);
  return short.length > 5 && isOneSlipApart(short, long);
}

/** One letter more, another letter, or two neighbours swapped: a misspelling. */
function isOneSlipApart(short: string, long: string): boolean {
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const rest = (word: string, skipped: number) => word.slice(at + skipped);
  if (long.length > short.length) return rest(short, 0) === rest(long, 1);
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return rest(short, 1) === rest(long, 1) || (isSwapped && rest(short, 2) === rest(long, 2));
}
