/** Text to pieces: what the formatter moves about and never changes. Everything of the text but white space is in one. */
import type { IToken } from "chevrotain";
import type { Span } from "../diagnostics/source.ts";
import { spanOf, tokenize } from "../syntax/lexer.ts";
import { TickClose, TickOpen, TripleClose, TripleOpen, UnclosedComment } from "../syntax/tokens.ts";

/** A token, a whole prompt with its holes, a comment, or characters that no token is made of. */
export interface Piece {
  readonly kind: "token" | "template" | "comment" | "unknown";
  readonly text: string;
  readonly start: number;
  /** The number of line breaks before it. */
  readonly breaks: number;
  /** True if nothing stands before it, not even a space. */
  readonly isTight: boolean;
}

export interface Pieces {
  readonly pieces: readonly Piece[];
  /** A prompt or comment that is opened and not closed before the end of the text. */
  readonly unclosed: { readonly what: "prompt" | "comment"; readonly span: Span } | undefined;
}

/** Cuts a text into its pieces, in order. */
export function toPieces(text: string): Pieces {
  const { tokens, comments } = tokenize(text);
  const isComment = new Set(comments);
  const parts: PieceSpan[] = [];
  let open: OpenBracket | undefined;
  for (const token of inOrder(tokens, comments)) {
    const { tokenType: type } = token;
    const isOpening = type === TickOpen || type === TripleOpen;
    if (open === undefined && !isOpening) {
      parts.push({ kind: isComment.has(token) ? "comment" : "token", ...spanOf(token) });
      continue;
    }
    open ??= { token, depth: 0 };
    if (isOpening) open.depth += 1;
    if (type === TickClose || type === TripleClose) open.depth -= 1;
    if (open.depth > 0) continue;
    parts.push({ kind: "template", start: open.token.startOffset, end: spanOf(token).end });
    open = undefined;
  }
  return { pieces: withGaps(text, parts), unclosed: unclosed(open?.token, comments) };
}

type PieceSpan = Pick<Piece, "kind"> & Span;

/** A prompt that is being read; the prompts in its holes count as depth. */
interface OpenBracket {
  readonly token: IToken;
  depth: number;
}

function* inOrder(tokens: readonly IToken[], comments: readonly IToken[]): Generator<IToken> {
  let next = 0;
  for (const token of tokens) {
    for (let comment = comments[next]; comment !== undefined; comment = comments[next]) {
      if (comment.startOffset > token.startOffset) break;
      next += 1;
      yield comment;
    }
    yield token;
  }
  yield* comments.slice(next);
}

function withGaps(text: string, parts: readonly PieceSpan[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const add = (part: PieceSpan) => {
    const gap = text.slice(end, part.start);
    const image = text.slice(part.start, part.end);
    const shown = part.kind === "comment" ? image.trimEnd() : image;
    const before = { breaks: breaksIn(gap), isTight: gap === "" };
    pieces.push({ kind: part.kind, text: shown, start: part.start, ...before });
    end = part.end;
  };
  for (const part of [...parts, { kind: "token" as const, start: text.length, end: text.length }]) {
    for (const unknown of unknownIn(text, end, part.start)) add(unknown);
    if (part.start < part.end) add(part);
  }
  return pieces;
}

function breaksIn(gap: string): number {
  // Most gaps are nothing or a space.
  if (gap === "" || gap === " ") return 0;
  return gap.match(/\r\n|\n|\r/g)?.length ?? 0;
}

// The white space of the lexer, and nothing else: a form feed is no white space to it.
const WHITE = /^[ \t\r\n\uFEFF\u00A0]*$/;
const UNKNOWN = /[^ \t\r\n\uFEFF\u00A0]+/g;

function unknownIn(text: string, start: number, end: number): readonly PieceSpan[] {
  const gap = text.slice(start, end);
  if (WHITE.test(gap)) return [];
  return [...gap.matchAll(UNKNOWN)].map(({ 0: found, index }) => {
    return { kind: "unknown", start: start + index, end: start + index + found.length };
  });
}

function unclosed(prompt: IToken | undefined, comments: readonly IToken[]): Pieces["unclosed"] {
  if (prompt !== undefined) return { what: "prompt", span: spanOf(prompt) };
  const comment = comments.find(({ tokenType }) => tokenType === UnclosedComment);
  if (comment === undefined) return undefined;
  return { what: "comment", span: { start: comment.startOffset, end: comment.startOffset + 2 } };
}
