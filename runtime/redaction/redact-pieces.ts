/** Redacts a text that comes in pieces: what may be the beginning of a secret is held back until it is known to be none. */

/** A text on its way. */
export interface TextPieces {
  write(piece: string): void;
  /** Tells what was held back. */
  end(): void;
}

/** Replaces the forms as `change` does in a whole text. Without any, pieces pass as they are. */
export function piecesRedactor(
  forms: readonly string[],
  change: (text: string) => string,
): (tell: (text: string) => void) => TextPieces {
  if (forms.length === 0) return (tell) => ({ write: tell, end: () => {} });
  const beginnings = new Set(forms.map((form) => form.charAt(0)));
  const longest = Math.max(...forms.map((form) => form.length));
  const isBeginningAt = (text: string, at: number) => {
    // Most places are far from the end, or begin nothing: neither is worth a copy of the rest.
    if (text.length - at >= longest || !beginnings.has(text.charAt(at))) return false;
    const rest = text.slice(at);
    return forms.some((form) => form.length > rest.length && form.startsWith(rest));
  };
  const lengthAt = (text: string, at: number) =>
    beginnings.has(text.charAt(at))
      ? (forms.find((form) => text.startsWith(form, at))?.length ?? 1)
      : 1;
  return (tell) => {
    let held = "";
    const write = (piece: string) => {
      const text = held + piece;
      let at = 0;
      // The longest form first, as in a whole text: a shorter one may be the beginning of it.
      while (at < text.length && !isBeginningAt(text, at)) at += lengthAt(text, at);
      held = text.slice(at);
      if (at > 0) tell(change(text.slice(0, at)));
    };
    const end = () => {
      if (held !== "") tell(change(held));
      held = "";
    };
    return { write, end };
  };
}

/** Redacts pieces without any known secrets. */
export const plainPieces = piecesRedactor([], (text) => text);
