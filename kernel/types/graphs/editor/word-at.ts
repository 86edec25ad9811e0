/** Finds the name at a place of a text; the cursor may stand in it or after it. */
export interface WordAt {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function wordAt(code: string, offset: number): WordAt {
  const before = /[\p{L}\p{N}_$]*$/u.exec(code.slice(0, offset))?.[0] ?? "";
  const after = /^[\p{L}\p{N}_$]*/u.exec(code.slice(offset))?.[0] ?? "";
  const start = offset - before.length;
  return { text: `${before}${after}`, start, end: offset + after.length };
}
