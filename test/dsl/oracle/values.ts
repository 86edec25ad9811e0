/** What literals are worth, worked out from their characters. */
import type { ExprAst } from "../../../dsl/syntax/tree/ast.ts";

/** `1_000` is no number; `2.5`, `40k` and `1.5M` are. */
export function toNumber(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  if (last === 107) return scaled(text, 1e3);
  if (last === 77) return scaled(text, 1e6);
  return +text;
}

// `0.1M` is no whole number of floating point steps: thousandths are kept, the rest is noise.
function scaled(text: string, factor: number): number {
  return Math.round(+text.slice(0, -1) * factor * 1000) / 1000;
}

const milliseconds = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** Milliseconds, rounded. */
export function toMilliseconds(text: string): number {
  const unit = text.endsWith("ms") ? "ms" : text.slice(-1);
  return Math.round(+text.slice(0, -unit.length) * (milliseconds.get(unit) ?? Number.NaN));
}

/** A text with its escapes resolved, as JavaScript does it. */
export function unescaped(text: string): string {
  let backslash = text.indexOf("\\");
  if (backslash < 0) return text;
  let result = "";
  let done = 0;
  while (backslash >= 0 && backslash + 1 < text.length) {
    const [value, end] = escapeAt(text, backslash + 1);
    result += text.slice(done, backslash) + value;
    done = end;
    backslash = text.indexOf("\\", done);
  }
  return result + text.slice(done);
}

const single = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["0", "\0"],
  ["\n", ""],
]);

/** What stands for the escape behind a backslash, and where it ends. */
function escapeAt(text: string, at: number): readonly [string, number] {
  const character = text.charAt(at);
  const digits = character === "u" || character === "x" ? hexadecimal(text, at) : undefined;
  if (digits !== undefined) {
    const [point, end] = digits;
    return [point > 0x10ffff ? text.slice(at - 1, end) : String.fromCodePoint(point), end];
  }
  return [single.get(character) ?? character, at + 1];
}

function hexadecimal(text: string, at: number): readonly [number, number] | undefined {
  const isBraced = text.startsWith("u{", at);
  const close = isBraced ? text.indexOf("}", at) : at + (text.charAt(at) === "u" ? 5 : 3);
  const digits = text.slice(isBraced ? at + 2 : at + 1, close);
  const isFull = isBraced ? digits.length >= 1 && digits.length <= 6 : close <= text.length;
  if (close < 0 || !isFull || !/^[0-9a-fA-F]+$/.test(digits)) return undefined;
  return [Number.parseInt(digits, 16), isBraced ? close + 1 : close];
}

type Piece = string | ExprAst;

/** The parts of a prompt in one backtick: line ends made equal, escapes resolved. */
export function plainParts(pieces: readonly Piece[]): readonly Piece[] {
  const parts: Piece[] = [];
  for (const piece of pieces) {
    const part = typeof piece === "string" ? unescaped(withPlainLineEnds(piece)) : piece;
    if (part !== "") parts.push(part);
  }
  return parts;
}

function withPlainLineEnds(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : text;
}

/** The parts of a prompt in three backticks: without the indentation that its lines share, nor its first and last line end. */
export function dedentedParts(pieces: readonly Piece[]): readonly Piece[] {
  const lines = linesOf(pieces);
  const first = lines[0];
  const isOpened = lines.length > 1 && first !== undefined && isBlankLine(first);
  if (isOpened) lines.shift();
  const last = lines.at(-1);
  const isClosed = (lines.length > 1 || isOpened) && last !== undefined && isBlankLine(last);
  if (isClosed) lines.pop();
  const shared = sharedIndentation(isOpened ? lines : lines.slice(1));
  const cut = lines.map((line, index) => (index === 0 && !isOpened ? line : without(line, shared)));
  return joined(cut);
}

/** A line: texts and holes in turn. */
type Line = readonly Piece[];

function linesOf(pieces: readonly Piece[]): Line[] {
  const lines: Piece[][] = [[]];
  for (const piece of pieces) {
    if (typeof piece !== "string") {
      lines.at(-1)?.push(piece);
      continue;
    }
    for (const [index, part] of withPlainLineEnds(piece).split("\n").entries()) {
      if (index > 0) lines.push([]);
      lines.at(-1)?.push(part);
    }
  }
  return lines;
}

function isBlankLine(line: Line): boolean {
  return line.every((piece) => typeof piece === "string" && /^[ \t]*$/.test(piece));
}

function sharedIndentation(lines: readonly Line[]): number {
  const depths = lines.filter((line) => !isEmpty(line)).map(indentationOf);
  return depths.length === 0 ? 0 : Math.min(...depths);
}

function isEmpty(line: Line): boolean {
  return line.every((piece) => typeof piece === "string" && piece.trim() === "");
}

function indentationOf([first]: Line): number {
  return typeof first === "string" ? first.length - first.trimStart().length : 0;
}

function without([first, ...rest]: Line, count: number): Line {
  if (typeof first !== "string") return first === undefined ? [] : [first, ...rest];
  let at = 0;
  while (at < count && (first[at] === " " || first[at] === "\t")) at++;
  return [first.slice(at), ...rest];
}

function joined(lines: readonly Line[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const [index, line] of lines.entries()) {
    if (index > 0) append(pieces, "\n");
    for (const piece of line) append(pieces, piece);
  }
  return plainParts(pieces);
}

function append(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (typeof piece === "string" && typeof last === "string") pieces.splice(-1, 1, last + piece);
  else pieces.push(piece);
}
