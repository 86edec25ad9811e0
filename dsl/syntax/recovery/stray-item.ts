/** Words the error for a token that begins no item of its block. */
import type { IToken } from "chevrotain";
import type { Finding } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../names/nearest.ts";
import { type BlockKind, blocks, homes } from "../blocks.ts";
import { spanOf } from "../lexer.ts";
import * as token from "../tokens.ts";
import { clauseWords, foreignWords } from "../words.ts";
import { foreignOperator } from "./foreign-operators.ts";
import {
  beginsValue,
  errorSpan,
  hintFor,
  is,
  missingComma,
  onSameLine,
  quote,
  reservedAsName,
} from "./messages.ts";

/** The token, the one behind it and the two before it. */
export interface Stray {
  readonly beforePrevious: IToken;
  readonly previous: IToken;
  readonly first: IToken;
  readonly next: IToken;
}

/** The finding for a token that begins nothing; none if it only follows from a string that was never closed. */
export function strayItem(block: BlockKind, stray: Stray): Finding | undefined {
  const { first, previous } = stray;
  if (previous.tokenType === token.UnclosedString) return undefined;
  if (first.tokenType === token.RightCurly) return extraBrace(first);
  if (!is(first.tokenType, token.Word)) return straySign(block, stray);
  if (isOperandSwallowed(block, stray)) return nothingBehind(stray.beforePrevious, previous);
  const deadline = wrongDeadline(stray);
  if (deadline !== undefined) return deadline;
  const isReserved = is(first.tokenType, token.Reserved);
  if (block === "state" && isReserved) return reservedAsName(first);
  const isBehindName = onSameLine(previous, first) && is(previous.tokenType, token.Name);
  if (block === "graph" && isBehindName) return strayWordOnLine(block, stray);
  if (onSameLine(previous, first)) {
    const operator = foreignOperator(previous, first);
    if (operator !== undefined) return operator;
    if (isAssignment(block, stray)) return missingComma(previous, first);
  }
  const meant = wordMeant(block, first.image);
  if (meant !== undefined) return notAnItem(block, first, `did you mean \`${meant}\`?`);
  if (onSameLine(previous, first) && previous.tokenType !== token.Semicolon)
    return strayWordOnLine(block, stray);
  if (blocks[block].words.includes(first.image)) return unfinished(stray);
  const home =
    block === "body" ? (clauseFor.get(first.image) ?? homeOf(first.image)) : homeOf(first.image);
  if (block === "graph" && !isReserved && home === undefined) return missingArrow(stray);
  return notAnItem(block, first, home);
}

/** `within 2 hours` and `within 2h then "bob"`: the word is right where it stands, what follows it is not. */
function wrongDeadline(stray: Stray): Finding | undefined {
  const { first, previous, next } = stray;
  if (!onSameLine(previous, first)) return undefined;
  if (first.image === "within" && next.tokenType !== token.DurationToken)
    return expected("a duration", stray, "a duration is one word: `2h`, `30m`, `1d`");
  if (first.image === "then" && previous.tokenType === token.DurationToken)
    return expected("`ask`", stray, 'write `then ask "bob" within 1h` to ask the next person');
  return undefined;
}

function extraBrace(first: IToken): Finding {
  const message = "this `}` closes nothing";
  return { code: "M1105", message, span: spanOf(first), hint: "remove it" };
}

function straySign(block: BlockKind, stray: Stray): Finding {
  const { first, previous } = stray;
  if (isOperandSwallowed(block, stray)) return nothingBehind(stray.beforePrevious, previous);
  const isFirst = [token.LeftCurly, token.RightCurly, token.Semicolon].includes(previous.tokenType);
  const needless = isSeparator(first) ? separators[block] : undefined;
  if (isFirst || !onSameLine(previous, first)) return notAnItem(block, first, needless);
  if (block === "body" && isListable(previous) && beginsValue(first)) {
    return missingComma(previous, first);
  }
  return {
    code: "M1101",
    message: `${quote(first)} cannot follow ${quote(previous)}`,
    span: spanOf(first),
    hint: needless ?? strayArrow(block, stray) ?? hintFor("", previous, first),
  };
}

function isSeparator({ tokenType }: IToken): boolean {
  return tokenType === token.Semicolon || tokenType === token.Comma;
}

// `writes r, start -> f`: the node was taken for one more field. `f() -> r`: other tools write so what is written.
function strayArrow(block: BlockKind, { first, previous }: Stray): string | undefined {
  if (block !== "graph" || first.tokenType !== token.Arrow) return undefined;
  if (previous.tokenType === token.RightParen)
    return "write the fields that a node writes behind `writes`";
  if (!is(previous.tokenType, token.Name)) return undefined;
  return `an edge begins on a line of its own: \`${previous.image} -> …\``;
}

/** The rule for separating the items of each block, as a hint about a stray `;` or `,`. */
const separators: Readonly<Record<BlockKind, string>> = {
  file: "no separator is needed here: declarations stand one below the other",
  graph: "no separator is needed here: nodes and edges stand one on a line",
  state: "no separator is needed here: fields stand one on a line",
  body: "clauses stand one on a line, or with one `;` between them",
  choice: "branches stand one on a line, or with one `,` between them",
  match: "cases stand one on a line, or with one `,` between them",
  test: "no separator is needed here: steps stand one on a line",
};

// `tools`, and on the next line `prompt …`: the second word was taken for what the first one names.
function isOperandSwallowed(block: BlockKind, { previous, beforePrevious }: Stray): boolean {
  const isClauseWord = clauseWords.some((word) => word === previous.image);
  return block === "body" && isClauseWord && !onSameLine(beforePrevious, previous);
}

function nothingBehind(word: IToken, next: IToken): Finding {
  return {
    code: "M1101",
    message: `expected a name after ${quote(word)}, found the end of the line`,
    span: errorSpan(word, next),
    hint: `\`${next.image}\` on the next line was taken for it`,
  };
}

function wordMeant(block: BlockKind, word: string): string | undefined {
  const { words } = blocks[block];
  if (words.includes(word)) return undefined;
  const ours = foreignWords.get(word);
  if (ours !== undefined && words.includes(ours)) return ours;
  return nearest(word, words);
}

/** `given a = 1 b = 2`. */
function isAssignment(block: BlockKind, { next }: Stray): boolean {
  return block === "test" && next.tokenType === token.Equals;
}

function strayWordOnLine(block: BlockKind, stray: Stray): Finding {
  const { first, previous } = stray;
  const isList = block === "body" && isListable(previous);
  if (isList) return missingComma(previous, first);
  const ours = edgeWord(previous) ?? edgeWord(first);
  const hint = ours === undefined ? undefined : `did you mean \`${ours}\`?`;
  const isBehindField = block === "graph" && isFieldOrReducer(stray);
  if (isBehindField && stray.next.tokenType === token.FatArrow) return missingArrow(stray);
  const isNode = block === "graph" && is(previous.tokenType, token.Name) && !isBehindField;
  const wanted = isNode ? "`->`" : undefined;
  const end = `${quote(previous)}, found ${quote(first)}`;
  return {
    code: "M1101",
    message:
      wanted === undefined
        ? `${quote(first)} cannot follow ${quote(previous)}`
        : `expected ${wanted} after ${end}`,
    span: spanOf(first),
    hint: hint ?? hintForEdge({ isNode, isBehindField }),
  };
}

// No arrow can leave `r` in `writes r`, `writes a, r` or `via r`: what follows is a statement of its own.
function isFieldOrReducer({ beforePrevious: { tokenType } }: Stray): boolean {
  return [token.K.writes, token.K.via, token.Comma].includes(tokenType);
}

interface BlockPosition {
  readonly isNode: boolean;
  readonly isBehindField: boolean;
}

function hintForEdge({ isNode, isBehindField }: BlockPosition): string | undefined {
  if (isBehindField) return "an edge begins on a line of its own and is written `a -> b`";
  return isNode ? "an edge is written `a -> b`" : undefined;
}

// `for task of tasks`, `b if done`: what other tools write between nodes.
function edgeWord({ image }: IToken): string | undefined {
  const ours = foreignWords.get(image);
  return ours === "each" || ours === "match" || ours === "when" ? ours : undefined;
}

function notAnItem(block: BlockKind, first: IToken, hint: string | undefined): Finding {
  const message = `${quote(first)} does not begin ${blocks[block].item}`;
  return { code: "M1102", message, span: spanOf(first), hint };
}

/** Clauses that do in a node what a declaration of the file names. */
const clauseFor: ReadonlyMap<string, string> = new Map([
  ["memory", "a node reads a memory by `recall NAME`, and writes it by `store … into NAME`"],
]);

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
    span: errorSpan(first, next),
    hint:
      hint ?? (is(next.tokenType, token.Reserved) ? `\`${next.image}\` is reserved` : undefined),
  };
}

function isListable({ tokenType }: IToken): boolean {
  return is(tokenType, token.Word) || is(tokenType, token.StringToken);
}
