/** What characters begin, and what words and signs they make. */
import { Kind, words } from "./kinds.ts";

/** `a` to `z`, `A` to `Z`, `_`. */
export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isWordCharacter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 95 && isUpperPart(code));
}

function isUpperPart(code: number): boolean {
  return code <= 57 || (code >= 65 && code <= 90) || code === 95;
}

/** The kind of the word between two offsets; its hash is that of `wordHash`. */
export function wordKind(text: string, start: number, end: number, hash: number): number {
  for (let slot = hash & slotMask; ; slot = (slot + 1) & slotMask) {
    const known = slots[slot];
    if (known === undefined) return Kind.name;
    if (
      known.hash === hash &&
      known.word.length === end - start &&
      text.startsWith(known.word, start)
    )
      return known.kind;
  }
}

interface KnownWord {
  readonly word: string;
  readonly hash: number;
  readonly kind: number;
}

const slotMask = 511;
const slots = wordTable();

// Open addressing: the first free slot behind that of the hash. A slice of the text for each word would cost more.
function wordTable(): readonly (KnownWord | undefined)[] {
  const table = Array.from<KnownWord | undefined>({ length: slotMask + 1 }).fill(undefined);
  for (const [word, kind] of words) {
    const hash = wordHash(word);
    let slot = hash & slotMask;
    while (table[slot] !== undefined) slot = (slot + 1) & slotMask;
    table[slot] = { word, hash, kind };
  }
  return table;
}

function wordHash(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) hash = (hash * 31 + word.charCodeAt(at)) | 0;
  return hash;
}

interface Sign {
  readonly text: string;
  readonly kind: number;
}

// Of those that begin alike the longest comes first.
const signTexts: readonly (readonly [string, number])[] = [
  ["->", Kind.arrow],
  ["=>", Kind.fatArrow],
  ["===", Kind.equal],
  ["!==", Kind.notEqual],
  ["==", Kind.equal],
  ["!=", Kind.notEqual],
  ["<=", Kind.lessEqual],
  [">=", Kind.greaterEqual],
  ["&&", Kind.and],
  ["||", Kind.or],
  ["??", Kind.nullish],
  ["?.", Kind.optionalDot],
  ["...", Kind.spread],
  ["..", Kind.dots],
  [".", Kind.dot],
  [",", Kind.comma],
  [":", Kind.colon],
  [";", Kind.semicolon],
  ["?", Kind.question],
  ["|", Kind.bar],
  ["=", Kind.assign],
  ["!", Kind.bang],
  ["<", Kind.less],
  [">", Kind.greater],
  ["+", Kind.plus],
  ["-", Kind.minus],
  ["*", Kind.star],
  ["%", Kind.percent],
  ["(", Kind.leftParen],
  [")", Kind.rightParen],
  ["[", Kind.leftSquare],
  ["]", Kind.rightSquare],
  ["{", Kind.leftCurly],
  ["}", Kind.rightCurly],
];

/** The signs by the code of their first character. */
export const signs: readonly (readonly Sign[] | undefined)[] = Array.from(
  { length: 128 },
  (_, code) => {
    const found = signTexts.filter(([text]) => text.charCodeAt(0) === code);
    return found.length === 0 ? undefined : found.map(([text, kind]) => ({ text, kind }));
  },
);
