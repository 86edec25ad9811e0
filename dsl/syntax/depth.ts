/** Finds where brackets nest too deep for a recursive parser. */
import type { IToken, TokenType } from "chevrotain";
import type { Finding } from "../diagnostics/diagnostic.ts";
import type { Span } from "../diagnostics/source.ts";
import { spanOf } from "./lexer.ts";
import * as token from "./tokens.ts";

// Deeper than anyone writes, and far from where the stack ends.
const depthMax = 200;

const opening: ReadonlySet<TokenType> = new Set([
  ...[token.LeftParen, token.LeftSquare, token.LeftCurly],
  ...[token.HoleOpen, token.TickOpen, token.TripleOpen],
]);
const closing: ReadonlySet<TokenType> = new Set([
  ...[token.RightParen, token.RightSquare, token.RightCurly, token.TickClose, token.TripleClose],
]);

/** The bracket that goes deeper than we parse, if there is one. */
export function tooDeepAt(tokens: readonly IToken[]): IToken | undefined {
  let depth = 0;
  for (const found of tokens) {
    if (opening.has(found.tokenType)) depth++;
    else if (closing.has(found.tokenType)) depth = Math.max(0, depth - 1);
    if (depth > depthMax) return found;
  }
  return undefined;
}

/** The finding for a text that nests too deep to be parsed. */
export function tooDeep(at: IToken | undefined): Finding {
  const span: Span = at === undefined ? { start: 0, end: 0 } : spanOf(at);
  const message = "this nests too deep to be read";
  return { code: "M1112", message, span, hint: "move a part of it into a TypeScript function" };
}
