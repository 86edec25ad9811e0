/** Texts whose white space somebody has played with: the same tokens, other spaces and line breaks. */
import { type Piece, toPieces } from "../../../dsl/format/pieces.ts";

/** Draws a whole number below a limit. */
export type Draw = (below: number) => number;

/**
 * The text with other spaces between its tokens, other indentation, blank lines where one stood already, and, where they
 * mean nothing, other line breaks.
 */
export function scrambled(text: string, draw: Draw): string {
  const { pieces } = toPieces(text);
  const parts = pieces.map((piece, index) => {
    const before = pieces[index - 1];
    const isMoved = before !== undefined && isFree(before, piece) && draw(3) === 0;
    if (before === undefined || (isMoved ? piece.breaks === 0 : piece.breaks > 0)) {
      const blank = piece.breaks > 1 ? lineBreak.repeat(1 + draw(3)) : "";
      return `${before === undefined ? "" : lineBreak}${blank}${spaces(draw(9))}${piece.text}`;
    }
    const least = canTouch(before.text, piece.text) ? 0 : 1;
    return `${spaces(least + draw(4))}${piece.text}`;
  });
  return `${parts.join("")}${spaces(draw(3))}`;
}

const lineBreak = "\n";

const openings: ReadonlySet<string> = new Set(["{", "(", "[", ",", "&&", "||", "->"]);
const joints: ReadonlySet<string> = new Set(["}", ")", "]", ",", "&&", "||", "->", "|", "+"]);

/** Returns whether a line may end between two pieces, and need not. */
function isFree(left: Piece, right: Piece): boolean {
  if (left.kind === "comment" || right.kind === "comment" || right.breaks > 1) return false;
  return openings.has(left.text) || joints.has(right.text);
}

function spaces(count: number): string {
  return " ".repeat(count);
}

/** Without a space between them, two words are one; so are two signs, and what only looks like one number. */
function canTouch(left: string, right: string): boolean {
  const isWordy = (text: string) => /[\w$"'`]/.test(text);
  if (isWordy(left.slice(-1)) && isWordy(right.slice(0, 1))) return false;
  return /[()[\]{},;]/.test(left.slice(-1)) || /[()[\]{},;]/.test(right.slice(0, 1));
}
