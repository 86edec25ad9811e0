/** Finds the one bracket or backtick that was left open, when everything after it reads wrong because of it. */
import type { IToken, TokenType } from "chevrotain";
import type { Finding } from "../../diagnostics/diagnostic.ts";
import { type Insertion, spanOf, type Tokens } from "../lexer.ts";
import * as token from "../tokens.ts";
import { clauseWords, graphWords } from "../words.ts";
import type { UnclosedHole } from "./recovering-parser.ts";

/** A text to insert so that the rest can be read as it was meant, and the finding about it. */
export interface Repair {
  readonly insertion: Insertion;
  readonly finding: Finding;
}

// The number of candidates of each kind, before the place of the error, that are tried.
const openedMax = 64;

/** The repairs worth trying of what was opened up to an offset, in the order of the text. */
export function possibleRepairs(
  text: string,
  { tokens, comments }: Pick<Tokens, "tokens" | "comments">,
  holes: readonly UnclosedHole[],
  last: number,
): readonly Repair[] {
  const before = tokens.slice(0, countUpTo(tokens, last));
  const repairs = [
    ...holes
      .filter(({ open }) => open.startOffset <= last)
      .slice(-openedMax)
      .flatMap((hole) => holeRepair(text, hole)),
    ...comments
      .filter(({ tokenType }) => tokenType === token.UnclosedComment)
      .map((open) => commentRepair(text, open)),
    ...lastOf(before, [token.UnclosedString]).map(stringRepair),
    ...lastOf(before, [token.TickOpen, token.TripleOpen]).flatMap((open) =>
      promptRepair(text, open, open !== tokens.at(-1)),
    ),
  ];
  return repairs
    .filter(({ finding }) => finding.span.start <= last)
    .sort((a, b) => a.finding.span.start - b.finding.span.start);
}

function countUpTo(tokens: readonly IToken[], last: number): number {
  const count = tokens.findIndex(({ startOffset }) => startOffset > last);
  return count < 0 ? tokens.length : count;
}

function lastOf(tokens: readonly IToken[], types: readonly TokenType[]): readonly IToken[] {
  const found: IToken[] = [];
  for (let at = tokens.length - 1; at >= 0 && found.length < openedMax; at--) {
    const each = tokens[at];
    if (each !== undefined && types.includes(each.tokenType)) found.push(each);
  }
  return found;
}

// A `}` further on that line, before the template goes on, is this one's: then the expression is wrong, not the bracket.
function holeRepair(text: string, { open, last, found }: UnclosedHole): Repair[] {
  if (last.tokenType === token.HoleOpen) return [];
  const rest = /^[^}`\n$]*/.exec(text.slice(found.startOffset))?.[0] ?? "";
  const isClosedLater = text[found.startOffset + rest.length] === "}";
  if (isClosedLater && found.startOffset >= 0) return [];
  // Where the line ends too, the backtick is missing as well as the brace.
  const endsLine = found.startLine !== last.endLine;
  return ["}", ...(endsLine ? ["}`"] : [])].map((inserted) => ({
    insertion: { at: spanOf(last).end, text: inserted },
    finding: {
      code: "M1004",
      message: "this `${` is never closed",
      span: spanOf(open),
      hint: `add a \`}\`${endsWithTick(inserted) ? " and a backtick" : ""} behind the expression`,
    },
  }));
}

function endsWithTick(text: string): boolean {
  return text.endsWith("`");
}

// The string was probably meant to end before the brackets and commas at the end of its line.
function stringRepair(open: IToken): Repair {
  const { start, end } = spanOf(open);
  const quoteMark = open.image[0] ?? '"';
  let length = open.image.length;
  while (length > 1 && " \t{}()[],;`".includes(open.image[length - 1] ?? "x")) length--;
  return {
    insertion: { at: start + length, text: quoteMark },
    finding: {
      code: "M1002",
      message: "this string is never closed",
      span: { start, end },
      hint: `end it with ${quoteMark} on the same line`,
    },
  };
}

// A comment was probably meant to end with its line.
function commentRepair(text: string, open: IToken): Repair {
  const { start } = spanOf(open);
  const lineEnd = text.indexOf("\n", start);
  return {
    insertion: { at: lineEnd < 0 ? text.length : lineEnd, text: "*/" },
    finding: {
      code: "M1005",
      message: "this comment is never closed",
      span: { start, end: start + 2 },
      hint: "end it with `*/`",
    },
  };
}

const nextItem = new RegExp(
  `\\n[ \\t]*(${[...clauseWords, ...graphWords, "start"].join("|")}|\\})(?=[ \\t\\n]|$)`,
);

// A prompt that runs on over what looks like a clause was meant to end on its first line.
function promptRepair(text: string, open: IToken, hasText: boolean): Repair[] {
  const { start, end } = spanOf(open);
  const swallowed = nextItem.exec(text.slice(end));
  const close = text.indexOf(open.image, end);
  if (swallowed === null && close >= 0) return [];
  if (swallowed !== null && close >= 0 && close < end + swallowed.index) return [];
  if (!hasText) return [];
  const lineEnd = swallowed === null ? text.length : end + swallowed.index;
  const at = Math.max(end, text.slice(0, lineEnd).trimEnd().length);
  // Of three backticks one or two may be there.
  const present = /`*$/.exec(text.slice(end, at))?.[0].length ?? 0;
  const word = swallowed?.[1];
  const hint =
    word === undefined
      ? "add the closing backtick"
      : `it runs on through \`${word}\`: add the closing backtick`;
  return [
    {
      insertion: { at, text: open.image.slice(Math.min(present, open.image.length - 1)) },
      finding: {
        code: "M1003",
        message: "this prompt is never closed",
        span: { start, end },
        hint,
      },
    },
  ];
}
