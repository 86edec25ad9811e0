/** Text to tokens. Nothing is lost: what means nothing is reported and skipped. */
import { type ILexingError, type IToken, Lexer, type TokenType } from "chevrotain";
import type { Finding } from "../diagnostics/diagnostic.ts";
import type { Span } from "../diagnostics/source.ts";
import {
  BadAmount,
  Identifier,
  keywordTypes,
  lexerDefinition,
  UnclosedComment,
  UnclosedString,
} from "./tokens.ts";

/** A text that was put in to close what the person left open. Spans stay those of the person's own text. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

export interface Tokens {
  readonly tokens: IToken[];
  readonly comments: readonly IToken[];
  readonly findings: readonly Finding[];
}

let lexer: Lexer | undefined;

/** Cuts the text into tokens, as if the insertions stood in it. */
export function tokenize(text: string, insertions: readonly Insertion[] = []): Tokens {
  // Validating the tokens takes half of the time; a test does it.
  lexer ??= new Lexer(lexerDefinition, { positionTracking: "full", skipValidations: true });
  const sorted = [...insertions].sort((a, b) => a.at - b.at);
  const complete = insert(text, sorted);
  const result = lexer.tokenize(complete);
  const comments = result.groups.comments ?? [];
  if (sorted.length > 0) for (const token of comments) moveBack(token, sorted);
  const bad = finish(result.tokens, sorted);
  return {
    tokens: result.tokens,
    comments,
    findings: [
      ...result.errors
        .filter((error) => !isLoneBrace(complete, error))
        .filter(isFirstHole(complete))
        .map((error) => unknownCharacters(complete, error, sorted)),
      ...bad.flatMap(badToken),
      ...comments.filter((token) => token.tokenType === UnclosedComment).map(unclosedComment),
    ],
  };
}

/** Tells keywords from names and puts tokens where they are in the person's text; gives those that are wrong in themselves. */
function finish(tokens: readonly IToken[], sorted: readonly Insertion[]): readonly IToken[] {
  const bad: IToken[] = [];
  for (const token of tokens) {
    const { tokenType } = token;
    if (tokenType === Identifier) setType(token, keywordTypes.get(token.image));
    else if (tokenType === UnclosedString || tokenType === BadAmount) bad.push(token);
    if (sorted.length > 0) moveBack(token, sorted);
  }
  return bad;
}

function setType(token: IToken, keyword: TokenType | undefined): void {
  if (keyword?.tokenTypeIdx === undefined) return;
  token.tokenType = keyword;
  token.tokenTypeIdx = keyword.tokenTypeIdx;
}

function insert(text: string, sorted: readonly Insertion[]): string {
  let result = "";
  let done = 0;
  for (const { at, text: inserted } of sorted) {
    result += text.slice(done, at) + inserted;
    done = at;
  }
  return result + text.slice(done);
}

function moveBack(token: IToken, sorted: readonly Insertion[]): void {
  const { start, end } = spanOf(token);
  token.startOffset = original(start, sorted);
  token.endOffset = original(end, sorted) - 1;
}

function original(offset: number, sorted: readonly Insertion[]): number {
  let shift = 0;
  for (const { at, text } of sorted) {
    if (at + shift >= offset) break;
    shift += Math.min(text.length, offset - at - shift);
  }
  return offset - shift;
}

/** Returns the span of a token. */
export function spanOf(token: IToken): Span {
  return { start: token.startOffset, end: (token.endOffset ?? token.startOffset) + 1 };
}

// The lexer says that there is no mode to leave; the token is there all the same and the parser reports it.
function isLoneBrace(text: string, error: ILexingError): boolean {
  return text.slice(error.offset, error.offset + error.length) === "}";
}

// One backtick too many turns text and code about to the end: what follows from it is said once.
function isFirstHole(text: string): (error: ILexingError) => boolean {
  let isSeen = false;
  return ({ offset }) => {
    if (!text.startsWith("${", offset)) return true;
    if (isSeen) return false;
    isSeen = true;
    return true;
  };
}

function unknownCharacters(
  text: string,
  { offset, length }: ILexingError,
  sorted: readonly Insertion[],
): Finding {
  const found = text.slice(offset, offset + length);
  const span = { start: original(offset, sorted), end: original(offset + length, sorted) };
  const isHole = text.startsWith("${", offset);
  const hint = isHole
    ? "`${ }` stands in a prompt; is a backtick before it missing, or one too many?"
    : characterHints.find(([characters]) => characters.test(found))?.[1];
  return { code: "M1001", message: `\`${found}\` means nothing here`, span, hint };
}

const characterHints: readonly (readonly [RegExp, string])[] = [
  [/^#/, "comments begin with `//`"],
  [/^[\u2018\u2019\u201C\u201D]/, "quotes are straight: `\"` or `'`"],
  [/^\u2192/, "an edge is written `a -> b`"],
  [/^&/, "“and” is written `&&`"],
  [/^\$/, "money is written `$2`"],
  [/^\p{L}/u, "names are made of the letters a to z, digits and `_`"],
];

function badToken(token: IToken): Finding[] {
  const span = spanOf(token);
  if (token.tokenType === UnclosedString) {
    return [
      {
        code: "M1002",
        message: "this string is never closed",
        span,
        hint: `end it with ${token.image[0]} on the same line`,
      },
    ];
  }
  if (token.tokenType !== BadAmount) return [];
  return [
    {
      code: "M1006",
      message: `\`${token.image}\` is not an amount`,
      span,
      hint: "durations end in ms, s, m, h or d; large numbers in k or M; a unit word stands apart: `60 steps`",
    },
  ];
}

function unclosedComment(token: IToken): Finding {
  const span = { start: token.startOffset, end: token.startOffset + 2 };
  return {
    code: "M1005",
    message: "this comment is never closed",
    span,
    hint: "end it with `*/`",
  };
}
