/** What to say about a token that begins no item of the block it stands in. */
import type { IToken } from "chevrotain";
import type { Finding } from "../diagnostic.ts";
import { nearest } from "../nearest.ts";
import { type Block, blocks, homes } from "./blocks.ts";
import { spanOf } from "./lexer.ts";
import {
  beginsValue,
  hintFor,
  is,
  missingComma,
  onSameLine,
  placeOf,
  quote,
  reservedAsName,
} from "./messages.ts";
import * as token from "./tokens.ts";
import { clauseWords, foreignWords } from "./words.ts";

/** The token, the one behind it and the two before it. */
export interface Stray {
  readonly beforePrevious: IToken;
  readonly previous: IToken;
  readonly first: IToken;
  readonly next: IToken;
}

/** The finding for a token that begins nothing; none if it only follows from a string that was never closed. */
export function strayItem(block: Block, stray: Stray): Finding | undefined {
  const { first, previous } = stray;
  if (previous.tokenType === token.UnclosedString) return undefined;
  if (first.tokenType === token.RightCurly) return extraBrace(first);
  if (!is(first.tokenType, token.Word)) return straySign(block, stray);
  if (isOperandSwallowed(block, stray)) return nothingBehind(stray.beforePrevious, previous);
  const isReserved = is(first.tokenType, token.Reserved);
  if (block === "state" && isReserved) return reservedAsName(first);
  const isBehindName = onSameLine(previous, first) && is(previous.tokenType, token.Name);
  if (block === "graph" && isBehindName) return strayWordOnLine(block, stray);
  const meant = wordMeant(block, first.image);
  if (meant !== undefined) return notAnItem(block, first, `did you mean \`${meant}\`?`);
  if (onSameLine(previous, first)) return strayWordOnLine(block, stray);
  if (blocks[block].words.includes(first.image)) return unfinished(stray);
  const home = homeOf(first.image);
  if (block === "graph" && !isReserved && home === undefined) return missingArrow(stray);
  return notAnItem(block, first, home);
}

function extraBrace(first: IToken): Finding {
  const message = "this `}` closes nothing";
  return { code: "M1105", message, span: spanOf(first), hint: "take it away" };
}

function straySign(block: Block, stray: Stray): Finding {
  const { first, previous } = stray;
  if (isOperandSwallowed(block, stray)) return nothingBehind(stray.beforePrevious, previous);
  const isFirst = [token.LeftCurly, token.RightCurly, token.Semicolon].includes(previous.tokenType);
  if (isFirst || !onSameLine(previous, first)) return notAnItem(block, first, undefined);
  if (block === "body" && isListable(previous) && beginsValue(first)) {
    return missingComma(previous, first);
  }
  return {
    code: "M1101",
    message: `${quote(first)} cannot follow ${quote(previous)}`,
    span: spanOf(first),
    hint: hintFor("", previous, first),
  };
}

// `tools`, and on the next line `prompt …`: the second word was taken for what the first one names.
function isOperandSwallowed(block: Block, { previous, beforePrevious }: Stray): boolean {
  const isClauseWord = clauseWords.some((word) => word === previous.image);
  return block === "body" && isClauseWord && !onSameLine(beforePrevious, previous);
}

function nothingBehind(word: IToken, next: IToken): Finding {
  return {
    code: "M1101",
    message: `expected a name after ${quote(word)}, found the end of the line`,
    span: placeOf(word, next),
    hint: `\`${next.image}\` on the next line was taken for it`,
  };
}

function wordMeant(block: Block, word: string): string | undefined {
  const { words } = blocks[block];
  if (words.includes(word)) return undefined;
  const ours = foreignWords.get(word);
  if (ours !== undefined && words.includes(ours)) return ours;
  return nearest(word, words);
}

function strayWordOnLine(block: Block, stray: Stray): Finding {
  const { first, previous } = stray;
  const isList = block === "body" && isListable(previous);
  if (isList) return missingComma(previous, first);
  const ours = edgeWord(previous) ?? edgeWord(first);
  const hint = ours === undefined ? undefined : `did you mean \`${ours}\`?`;
  const wanted = block === "graph" && is(previous.tokenType, token.Name) ? "`->`" : undefined;
  const end = `${quote(previous)}, found ${quote(first)}`;
  return {
    code: "M1101",
    message:
      wanted === undefined
        ? `${quote(first)} cannot follow ${quote(previous)}`
        : `expected ${wanted} after ${end}`,
    span: spanOf(first),
    hint: hint ?? (wanted === undefined ? undefined : "an edge is written `a -> b`"),
  };
}

// `for task of tasks`, `b if done`: what other tools write between nodes.
function edgeWord({ image }: IToken): string | undefined {
  const ours = foreignWords.get(image);
  return ours === "each" || ours === "match" || ours === "when" ? ours : undefined;
}

function notAnItem(block: Block, first: IToken, hint: string | undefined): Finding {
  const message = `${quote(first)} does not begin ${blocks[block].item}`;
  return { code: "M1102", message, span: spanOf(first), hint };
}

function homeOf(word: string): string | undefined {
  const home = homes.find(({ words }) => words.includes(word));
  return home === undefined ? undefined : `\`${word}\` stands ${home.where}`;
}

const wantedAfter: Readonly<Record<string, string>> = {
  state: "`{`, `thread` or `user`",
  defaults: "`{`",
  config: "`{`",
  import: "`{`",
  limit: "an amount like `3m`, `$2` or `40k tokens`",
  approve: "`before` or `after`",
  break: "`before` or `after`",
  end: "`when`",
  test: "a title in quotes",
};

// The word is right here, what follows it is not.
function unfinished(stray: Stray): Finding {
  return expected(wantedAfter[stray.first.image] ?? "a name", stray, undefined);
}

function missingArrow(stray: Stray): Finding {
  return expected("`->`", stray, "an edge is written `a -> b`");
}

function expected(what: string, { first, next }: Stray, hint: string | undefined): Finding {
  const found = onSameLine(first, next) ? quote(next) : "the end of the line";
  return {
    code: "M1101",
    message: `expected ${what} after ${quote(first)}, found ${found}`,
    span: placeOf(first, next),
    hint:
      hint ?? (is(next.tokenType, token.Reserved) ? `\`${next.image}\` is reserved` : undefined),
  };
}

function isListable({ tokenType }: IToken): boolean {
  return is(tokenType, token.Word) || is(tokenType, token.StringToken);
}
