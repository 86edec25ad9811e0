/** Finds where a tagged template stands in a cell, so that an error of its query is shown there. */

export interface Template {
  /** As JavaScript gives them: with their escapes undone, and as they are written. */
  readonly parts: readonly string[];
  readonly raw: readonly string[];
}

/** Returns the parameter that stands for a hole of a template in its query: `$1`. */
export function holeText(index: number): string {
  return `$${index}`;
}

/**
 * The offset in `text` of an offset in the query of a template that begins behind `start`; undefined where the text holds
 * another one.
 */
export function offsetInText(
  text: string,
  start: number,
  { parts, raw }: Template,
  offset: number,
): number | undefined {
  let at = text.indexOf("`", start) + 1;
  if (at === 0) return undefined;
  let left = offset;
  for (const [index, written] of raw.entries()) {
    if (!text.startsWith(written, at)) return undefined;
    const part = parts[index] ?? "";
    if (left < part.length || index === raw.length - 1) return at + rawOffset(written, left);
    left -= part.length;
    const hole = holeText(index + 1);
    if (left < hole.length) return at + written.length;
    left -= hole.length;
    const behind = behindHole(text, at + written.length, raw[index + 1] ?? "");
    if (behind === undefined) return undefined;
    at = behind;
  }
  return undefined;
}

/** Behind the hole that begins at a place: where its brace is followed by the next part, and by what ends that. */
function behindHole(text: string, start: number, next: string): number | undefined {
  for (let at = text.indexOf("}", start); at !== -1; at = text.indexOf("}", at + 1)) {
    const end = at + 1 + next.length;
    const isNext = text.startsWith(next, at + 1);
    if (isNext && (text.startsWith("`", end) || text.startsWith("${", end))) return at + 1;
  }
  return undefined;
}

const UNITS = /\\(?:u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\s\S])|[\s\S]/g;

/** Maps an offset in a part of a template to the offset in its raw text. */
function rawOffset(raw: string, offset: number): number {
  let [cooked, written] = [0, 0];
  for (const [unit] of raw.matchAll(UNITS)) {
    if (cooked >= offset) break;
    cooked += unit === "\\\n" ? 0 : lengthOf(unit);
    written += unit.length;
  }
  return written;
}

function lengthOf(unit: string): number {
  const code = /^\\u\{(.+)\}$/.exec(unit)?.[1];
  return code !== undefined && Number.parseInt(code, 16) > 0xffff ? 2 : 1;
}
