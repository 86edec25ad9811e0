/** Splits texts into words for the document index and the rules model: lower-case, without endings. */
import { isStopWord } from "./stop-words.ts";

const WORD = /[\p{L}\p{N}]+(?:[-_./'’][\p{L}\p{N}]+)*/gu;
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu;

const TERMS_KEPT = 50_000;
const termsKept = new Map<string, string[]>();

/** Returns the terms under which a word is indexed: the word and, for `fast-check` or `useChat`, its parts. */
export function termsOf(word: string): string[] {
  const kept = termsKept.get(word);
  if (kept !== undefined) return kept;
  const terms = findTerms(word);
  // A text repeats its words: looking them up halves the time of building an index.
  if (termsKept.size < TERMS_KEPT) termsKept.set(word, terms);
  return terms;
}

function findTerms(word: string): string[] {
  const terms = new Set([stem(word)]);
  const parts = word.match(PART) ?? [];
  if (parts.length > 1) {
    for (const part of parts) if (part.length > 2 && !isStopWord(part)) terms.add(stem(part));
  }
  return [...terms];
}

/** The words of `text` split for an index, before `termsOf`. */
export function tokensOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** A name rather than a word of the language: digits, inner capitals, or joined parts (`useChat`, `utf8`, `fast-check`). */
export function isIdentifier(word: string): boolean {
  return /\p{N}/u.test(word)
    ? /\p{L}/u.test(word)
    : /\p{Ll}\p{Lu}|[\p{L}][-_./][\p{L}]/u.test(word);
}

/**
 * Cuts the endings of English that change a word's form and not its sense, so that `retries` meets `retry` and
 * `caching` meets `cache`. What it yields is for comparing only.
 */
export function stem(word: string): string {
  const plain = word
    .toLowerCase()
    .replace(/['’]s?$/u, "")
    .normalize("NFC");
  if (plain.length < 4 || !/^[a-z]+$/.test(plain)) return plain;
  return withoutFinalE(withoutParticiple(withoutPlural(plain)));
}

function withoutPlural(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|z|ss)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

function withoutParticiple(word: string): string {
  if (word.length > 4 && word.endsWith("ied")) return `${word.slice(0, -3)}y`;
  const root = /^(.*[aeiouy].*?)(?:ing|ed)$/.exec(word)?.[1];
  if (root === undefined || root.length < 3) return word;
  return /([bdfgmnprt])\1$/.test(root) ? root.slice(0, -1) : root;
}

function withoutFinalE(word: string): string {
  return word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word;
}
