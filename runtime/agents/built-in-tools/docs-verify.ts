/** Checks quotes against the documents they are said to be from. */

/** What a quote must tell about itself; its other members are kept as they are. */
export interface Quoted {
  readonly file: string;
  readonly quote: string;
}

/**
 * Keeps the entries whose quote is in their file. A quote whose line breaks or spaces differ is replaced by the file's
 * own text; one that is not in the file at all is dropped, since a reader could not find it.
 */
export async function verifyQuotes<T extends Quoted>(
  entries: readonly T[],
  read: (file: string) => Promise<string>,
): Promise<T[]> {
  const texts = new Map<string, Promise<string | undefined>>();
  const kept: T[] = [];
  for (const entry of entries) {
    const text = texts.get(entry.file) ?? read(entry.file).catch(() => undefined);
    texts.set(entry.file, text);
    const quote = literalOf(entry.quote, (await text) ?? "");
    if (quote !== undefined) kept.push({ ...entry, quote });
  }
  return kept;
}

/** The stretch of `text` that `quote` repeats, or nothing. */
function literalOf(quote: string, text: string): string | undefined {
  const words = quote.trim().split(/\s+/);
  if (words[0] === "") return undefined;
  if (text.includes(quote.trim())) return quote.trim();
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("\\s+");
  return new RegExp(pattern).exec(text)?.[0];
}
