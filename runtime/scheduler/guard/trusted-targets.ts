/** Finds the targets of a call that no trusted text names: what a page, a file or a tool said may have chosen them. */
import { addressOf, isWithin } from "./addresses.ts";

/**
 * Returns the targets that stand in none of the trusted texts, each once. A target stands in a text as a whole word; an
 * address also where the text names its host, or a path above it.
 */
export function strangeTargets(
  targets: readonly string[],
  trusted: readonly string[],
): readonly string[] {
  const texts = trusted.map(plainText);
  return [...new Set(targets)].filter((target) => !texts.some((text) => isNamed(target, text)));
}

function isNamed(target: string, text: string): boolean {
  if (/^\d{1,3}$/.test(target)) return isNumberNamed(target, text);
  const plain = plainText(target).trim();
  return standsIn(plain, text) || isAddressNamed(target, text) || fillsForm(plain, text);
}

/** Different characters that look alike stay different: only their widths and cases are made one. */
export function plainText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** A small number stands in many texts by chance, as in a date: it names something alone, in quotes, or behind a word for that. */
function isNumberNamed(target: string, text: string): boolean {
  return new RegExp(
    `^\\s*${target}\\s*$|["'\`]${target}["'\`]|(?:#|\\b(?:ids?|numbers?|no\\.|nr\\.):?)\\s*${target}(?![\\p{L}\\p{N}_])`,
    "u",
  ).test(text);
}

/** A part of a longer name, address or number is another name. */
function standsIn(target: string, text: string): boolean {
  return target === "" || wordPlaces(target, text).length > 0;
}

/** Returns the places of a text at which a word or several stand that are no part of a longer one. */
export function wordPlaces(words: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const before = text.slice(0, at);
    const after = text.slice(at + words.length);
    if (
      !/[\p{L}\p{M}\p{N}_@+./\\:-]$/u.test(before) &&
      !/^(?:[\p{L}\p{M}\p{N}_@+/\\-]|[.:][^\s"'`)\]])/u.test(after)
    )
      places.push(at);
  }
  return places;
}

/** The longest text that may stand for a hole of a form. */
const FILLED_MAX = 80;

/**
 * Tells whether a target is a form that stands in quotes, with its holes filled: "Hotel: {name}" names `Hotel: Ritz`. No
 * address is: whoever fills the hole would choose it.
 */
function fillsForm(target: string, text: string): boolean {
  if (/[@/\\]/.test(target) || addressOf(target, true) !== undefined) return false;
  if (addressesIn(target).length > 0) return false;
  const forms = text.matchAll(
    /(?<![\p{L}\p{N}])(["'`])((?:(?!\1)[^\n])*\{\w+\}(?:(?!\1)[^\n])*)\1(?![\p{L}\p{N}])/gu,
  );
  return [...forms].some(([, , form = ""]) => {
    const parts = form.split(/\{\w+\}/);
    if ((parts.join("").match(/[\p{L}\p{N}]/gu) ?? []).length < FORM_MIN) return false;
    const pattern = parts.map(literalPattern).join(`[^\\n]{1,${FILLED_MAX}}`);
    return new RegExp(`^${pattern}$`, "u").test(target);
  });
}

/** The letters and digits that a form has beside its holes: a hole alone would name everything. */
const FORM_MIN = 3;

function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function isAddressNamed(target: string, text: string): boolean {
  const address = addressOf(target);
  if (address === undefined || address.scheme !== "http") return false;
  return wordsIn(text).some((word) => {
    const named = addressOf(word, true);
    return named !== undefined && isWithin(address, word, true);
  });
}

/**
 * The addresses of pages and of mailboxes within a text that is no target itself: whoever gets the text may be led there. A
 * host without a scheme is one where it begins with `www.`, since names of files look alike.
 */
export function addressesIn(text: string): readonly string[] {
  return wordsIn(text).filter((word) =>
    /^(?:https?:\/\/|www\.)|^[^@/]+@[^@/]+\.[^@/]+$/i.test(word),
  );
}

/** The words of a text, without the punctuation around them. */
function wordsIn(text: string): readonly string[] {
  return text
    .split(/[\s"'`<>()[\]{},;]+/)
    .map((word) => word.replace(/[.:!?]+$/, ""))
    .filter((word) => word.includes("."));
}
