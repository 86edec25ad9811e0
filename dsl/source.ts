/** A half-open range of UTF-16 offsets in one source text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One text of the language: a file, or a cell under the name it is shown by. */
export interface Source {
  readonly file: string;
  readonly text: string;
}

/** A place as people count it: line and column from 1, the column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export function positionAt(source: Source, offset: number): Position {
  const before = source.text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}

export function lineText(source: Source, line: number): string {
  return (source.text.split("\n")[line - 1] ?? "").replace(/\r$/, "");
}
