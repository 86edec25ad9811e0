/** Maps the statements of a script to lines of its cell, and back. */
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";

/** A place in a text: line from 1, column from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A place in a script as the inspector counts: both from 0. */
export interface ScriptPlace {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/**
 * Maps a place of a script to its place in the text; undefined for code that the compiler has
 * added.
 */
export type ToText = (place: ScriptPlace) => TextPlace | undefined;

/** Returns a mapping by the source map of a cell. */
export function bySourceMap(json: string): ToText {
  const map = new TraceMap(json);
  return ({ lineNumber, columnNumber }) => {
    if (lineNumber < 0) return undefined;
    const at = originalPositionFor(map, { line: lineNumber + 1, column: columnNumber });
    return at.line === null ? undefined : { line: at.line, column: at.column + 1 };
  };
}

/** Maps a place of a file to itself: Node removes the types and leaves all else in its place. */
export const asItStands: ToText = ({ lineNumber, columnNumber }) => ({
  line: lineNumber + 1,
  column: columnNumber + 1,
});

/** A place in a script at which it can stop. */
export interface Stoppable {
  readonly place: ScriptPlace;
  readonly text: TextPlace;
}

/** The first place that can stop in this line of the text, or in the next line that has one. */
export function firstFrom(line: number, places: readonly Stoppable[]): Stoppable | undefined {
  let found: Stoppable | undefined;
  for (const one of places) {
    if (one.text.line >= line && (found === undefined || isBefore(one, found))) found = one;
  }
  return found;
}

function isBefore({ text }: Stoppable, other: Stoppable): boolean {
  const lines = text.line - other.text.line;
  return lines < 0 || (lines === 0 && text.column < other.text.column);
}

/** The line, or the next one, where a text that has not run yet probably has a statement. */
export function likelyLine(line: number, text: string): number | undefined {
  const lines = text.split("\n");
  for (let at = Math.max(1, line); at <= lines.length; at += 1) {
    if (hasStatement(lines[at - 1] ?? "")) return at;
  }
  return undefined;
}

/** Not blank, no comment, no type, and more than brackets that end something. */
function hasStatement(line: string): boolean {
  if (/^\s*(?:(?:export\s+)?(?:interface|type|declare)\s+[\w${]|import\s+type\s)/.test(line))
    return false;
  return !/^\s*(?:\/\/.*|\/\*.*|\*.*|[\]})\s;,]*)$/.test(line);
}
