/** Cuts values into the words by which memories find them, in any language. */

/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** More words of one entry are not looked for. */
const WORDS_MAX = 5_000;

/** A word may be as long as this; encoded data has longer ones. */
const WORD_LENGTH_MAX = 64;

/** Words longer than this are found by their beginning, too: `deploys` and `deployment` share `deplo`. */
const BEGINNING = 5;

/** The words of all texts and numbers in a value, in their order, without case, accents and the plural's `s`. */
export function wordsOf(value: unknown): readonly string[] {
  const words: string[] = [];
  collect(value, words);
  return words;
}

function collect(value: unknown, words: string[]): void {
  if (words.length >= WORDS_MAX) return;
  if (typeof value === "string") addWords(value, words);
  else if (typeof value === "number") addWords(String(value), words);
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) collect(part, words);
}

function addWords(text: string, words: string[]): void {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  for (const [found] of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (words.length >= WORDS_MAX) return;
    if (UNSPACED.test(found)) addPairs(found, words);
    else addWord(found.slice(0, WORD_LENGTH_MAX), words);
  }
}

function addWord(found: string, words: string[]): void {
  const word = found.length > 3 && /[^s]s$/.test(found) ? found.slice(0, -1) : found;
  words.push(word);
  const characters = [...word];
  if (characters.length > BEGINNING) words.push(`${characters.slice(0, BEGINNING).join("")}~`);
}

/** Without a dictionary, two characters in a row are taken for a word. */
function addPairs(found: string, words: string[]): void {
  const characters = [...found];
  if (characters.length === 1) words.push(found);
  for (let at = 0; at + 1 < characters.length; at += 1)
    words.push(`${characters[at]}${characters[at + 1]}`);
}
