/** Counts the bytes of a text in UTF-8. */

/** Returns the number of bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** The longest head of `text` that has at most `bytes` bytes; never half a character. */
export function headOf(text: string, bytes: number): string {
  if (byteLength(text) <= bytes) return text;
  // A character has at least as many bytes as UTF-16 units, so the head lies within this slice.
  const buffer = Buffer.from(text.slice(0, bytes), "utf8");
  let end = Math.min(bytes, buffer.length);
  // A byte 10xxxxxx continues a character that began before it.
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return buffer.toString("utf8", 0, end);
}

/** A text, cut in its middle where it is longer than `length`: both its ends often say what matters. */
export function shortText(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor((length - 1) / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n… (${left} characters left out) …\n${text.slice(-half)}`;
}
