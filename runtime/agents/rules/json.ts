/** Tells JSON from prose: prompts hold lists and objects as JSON between sentences. */

/** A text without its JSON, and the JSON values in their order. */
export interface Parted {
  readonly prose: string;
  readonly values: readonly unknown[];
}

/** Takes every JSON list or object out of `text`. */
export function partJson(text: string): Parted {
  const values: unknown[] = [];
  let prose = "";
  for (let at = 0; at < text.length; ) {
    const end = looksLikeJson(text, at) ? endOfJson(text, at) : undefined;
    const value = end === undefined ? undefined : parseOrNothing(text.slice(at, end));
    if (end === undefined || value === undefined) {
      prose += text[at];
      at += 1;
    } else {
      values.push(value);
      prose += " ";
      at = end;
    }
  }
  return { prose, values };
}

/** The value of a JSON text; nothing if it is none. */
export function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function looksLikeJson(text: string, at: number): boolean {
  const first = text[at];
  if (first !== "{" && first !== "[") return false;
  const next = /\S/.exec(text.slice(at + 1, at + 200))?.[0] ?? "";
  return first === "{" ? /["}]/.test(next) : /["[{\]\d\-tfn]/.test(next);
}

function endOfJson(text: string, from: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (quoted) {
      if (char === "\\") at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}
