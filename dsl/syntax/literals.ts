/** Computes the values of literals from their text. */

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `1.5h` in milliseconds. */
export function durationMs(text: string): number {
  const unit = text.replace(/^[\d.]+/, "");
  return Math.round(Number.parseFloat(text) * (unitMs[unit] ?? 0));
}

/** `40k` is 40000, `1.5M` is 1500000. */
export function numberValue(text: string): number {
  const factor = text.endsWith("k") ? 1000 : text.endsWith("M") ? 1_000_000 : 1;
  return factor === 1 ? Number(text) : Math.round(Number.parseFloat(text) * factor * 1000) / 1000;
}

/** The text between the quotes, escapes resolved; a string that was never closed has no last quote. */
export function stringValue(text: string): string {
  const isClosed = text.length > 1 && text.endsWith(text[0] ?? "");
  return unescapeText(text.slice(1, isClosed ? -1 : undefined));
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  0: "\0",
  "\n": "",
};

/** Resolves JavaScript's escapes; an unknown one is the character itself. */
export function unescapeText(text: string): string {
  return text.replace(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (whole, braced?: string, four?: string, two?: string, single?: string) => {
      const digits = braced ?? four ?? two;
      if (digits === undefined) return escapes[single ?? ""] ?? single ?? whole;
      const point = Number.parseInt(digits, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}
