/** The spacing table: what stands close to what. */
import type { TokenRead, TokenRole } from "./read.ts";

const closeBehind: ReadonlySet<TokenRole> = new Set<TokenRole>([
  ...(["open", "tight-open", "open-type", "dot", "unary"] as const),
]);

const closeBefore: ReadonlySet<TokenRole> = new Set<TokenRole>([
  ...(["close", "comma", "semicolon", "colon", "mark", "dot"] as const),
  ...(["tight-open", "open-type", "close-type"] as const),
]);

/** Returns whether a space stands between two neighbours of one line. */
export function isSpaced(left: TokenRead, right: TokenRead): boolean {
  if (left.role === "unknown" || right.role === "unknown") return !right.piece.isTight;
  if (right.role === "comment" && right.piece.text.startsWith("//")) return true;
  if (left.opens !== undefined && left.opens === right.closes && left.role === "open-brace") {
    return left.opens.kind !== "object";
  }
  if (!closeBehind.has(left.role) && !closeBefore.has(right.role)) return true;
  return !right.piece.isTight && wouldMerge(left.piece.text, right.piece.text);
}

// The two characters with which a sign or a comment begins.
const signs: ReadonlySet<string> = new Set([
  ...["->", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "..", "//", "/*"],
]);

/** Returns whether two tokens would be read as something else if nothing stood between them. */
function wouldMerge(left: string, right: string): boolean {
  const pair = `${left.at(-1) ?? ""}${right.at(0) ?? ""}`;
  const isDecimal = (right === "." && /\d\./.test(pair)) || (left === "." && /\.\d/.test(pair));
  return signs.has(pair) || isDecimal;
}
