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

/**
 * The words of all texts and numbers in a value, in their order, without case, accents and the plural's `s`. Of a script without
 * spaces they are the characters and each two in a row.
 */
export function wordsOf(value: unknown): readonly string[] {
  const words: string[] = [];
  collect(value, words, addCharacters);
  return words;
}

/** The words that a query looks for: of a script without spaces each two characters in a row, or a character that stands alone. */
export function queriedWords(text: string): readonly string[] {
  const words: string[] = [];
  collect(text, words, addPairs);
  return [...new Set(words)];
}

type AddUnspaced = (found: string, words: string[]) => void;

function collect(value: unknown, words: string[], add: AddUnspaced): void {
  if (words.length >= WORDS_MAX) return;
  if (typeof value === "string") addWords(value, words, add);
  else if (typeof value === "number") addWords(String(value), words, add);
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) collect(part, words, add);
}

function addWords(text: string, words: string[], add: AddUnspaced): void {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  for (const [found] of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (words.length >= WORDS_MAX) return;
    if (UNSPACED.test(found)) add(found, words);
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

function addCharacters(found: string, words: string[]): void {
  const characters = [...found];
  if (characters.length > 1) words.push(...characters);
  addPairs(found, words);
}

/** Words as the index has them: behind the number of their space. */
export function inSpace(space: number, words: readonly string[]): readonly string[] {
  return words.map((word) => `${space}x${word.replace("~", "p9p")}`);
}

/** Under this term stands the number of all entries of a space. */
export function totalOf(space: number): string {
  return `${space}x`;
}

/** The words under which an entry stands in the index; `value` is JSON. */
export function entryWords(space: number, value: string): readonly string[] {
  return inSpace(space, wordsOf(JSON.parse(value)));
}

/** The texts and numbers of a value as one text, cut to what an embedding model takes. */
export function textIn(value: unknown): string {
  const parts: string[] = [];
  collectTexts(value, parts);
  return cutToEmbed(parts.join("\n"));
}

/** A text cut to what an embedding model takes: a token is at least one byte, of Chinese often one character. */
export function cutToEmbed(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.byteLength <= BYTES_MAX) return text;
  const end = bytes.subarray(0, BYTES_MAX + 1).findLastIndex((byte) => (byte & 0xc0) !== 0x80);
  return bytes.subarray(0, end).toString();
}

/** Models of embeddings take 8,192 tokens of a text. */
const BYTES_MAX = 8_000;

function collectTexts(value: unknown, parts: string[]): void {
  if (typeof value === "string") parts.push(value);
  else if (typeof value === "number") parts.push(String(value));
  else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) collectTexts(part, parts);
}
