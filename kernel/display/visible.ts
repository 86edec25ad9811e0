/** Makes characters visible that would act on a terminal or turn the reading order. */

/**
 * Control characters as their pictures (`␛`), what hides or reorders text as its code point (`⟨U+202E⟩`). Line ends and
 * tabs stay.
 */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replace(ACTING, (character) => pictureOf(character.codePointAt(0) ?? 0));
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll("\n", "⏎").replaceAll("\t", "␉");
}

// Most texts are of letters alone, and are looked through once.
const PLAIN = /^[\t\n\x20-\x7e]*$/;

// C0 without tab and newline, DEL, C1; soft hyphen, bidi marks, embeddings and isolates, zero widths, separators of
// lines and paragraphs, invisible operators, tags, and what XML does not allow.
export const ACTING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]/gu;

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** `text` up to `limit` characters, and how long it is where it was cut. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit).toWellFormed()}… (${counted(text.length)} characters)`;
}

/** 12345 as `12,345`, wherever it is shown; with what is counted, `12,345 runs` and `1 run`. */
export function counted(count: number, what?: string): string {
  const number = String(count).replace(/\B(?=(\d{3})+$)/g, ",");
  return what === undefined ? number : `${number} ${what}${count === 1 ? "" : "s"}`;
}
