/**
 * Every piece of JSON that a model may have meant by its answer, likeliest first: the whole text, what stands in code
 * fences, then each outermost `{…}` or `[…]` in prose. Models wrap JSON in words however they are asked not to.
 */
export function jsonCandidates(text: string): unknown[] {
  const whole = text.trim();
  const pieces = [whole, ...fenced(whole), ...bracketed(whole)];
  return pieces.flatMap((piece) => {
    const parsed = parse(piece);
    return parsed === undefined ? [] : [parsed.value];
  });
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function fenced(text: string): string[] {
  return [...text.matchAll(/```[\w-]*\s*\n?([\s\S]*?)```/g)].map(([, inner = ""]) => inner.trim());
}

function bracketed(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const open = text[at];
    if (open !== "{" && open !== "[") continue;
    const end = closingOf(text, at);
    if (end === undefined) continue;
    found.push(text.slice(at, end + 1));
    at = end;
  }
  return found;
}

/** The bracket that closes the one at `start`, brackets inside strings left out. */
function closingOf(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}
