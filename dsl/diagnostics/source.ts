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
export interface LinePosition {
  readonly line: number;
  readonly column: number;
}

/** The place of an offset; one inside a `\r\n` is still on the line that it ends. */
export function positionAt(source: Source, offset: number): LinePosition {
  const starts = lineStarts(source);
  let [line, after] = [0, starts.length];
  while (after - line > 1) {
    const middle = (line + after) >> 1;
    if ((starts[middle] ?? 0) <= offset) line = middle;
    else after = middle;
  }
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
}

/** The text of a line, without what ends it. */
export function lineText(source: Source, line: number): string {
  const starts = lineStarts(source);
  const start = starts[line - 1];
  if (start === undefined) return "";
  return source.text.slice(start, starts[line]).replace(/[\r\n]+$/, "");
}

// A text with many findings is asked for many places.
const known = new WeakMap<Source, readonly number[]>();

/**
 * Returns the offset of each line's beginning. A line ends with `\n`, `\r\n` or `\r`, as in the
 * lexer; not with what Unicode adds to these.
 */
function lineStarts(source: Source): readonly number[] {
  const before = known.get(source);
  if (before !== undefined) return before;
  const starts = [0];
  for (const { index, 0: end } of source.text.matchAll(/\r\n|\n|\r/g)) {
    starts.push(index + end.length);
  }
  known.set(source, starts);
  return starts;
}
