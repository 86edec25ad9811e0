/** Words the errors that Chevrotain finds. */
import {
  EOF,
  type IParserErrorMessageProvider,
  type IRecognitionException,
  type IToken,
  type TokenType,
} from "chevrotain";
import type { Finding } from "../../diagnostics/diagnostic.ts";
import type { Span } from "../../diagnostics/source.ts";
import { spanOf } from "../lexer.ts";
import * as token from "../tokens.ts";
import { foreignOperator, foreignSpread } from "./foreign-operators.ts";

const amountWanted = "an amount like `3m`, `$2` or `40k tokens`";
// Names for what a rule expects, in place of a long list of words.
const wantedByRule: Readonly<Record<string, string>> = {
  topItem: "a declaration",
  graphItem: "a node, a state block or an edge",
  clause: "a clause",
  primary: "an expression",
  expressions: "an expression",
  primitiveType: "a type",
  type: "a type",
  names: "a name",
  namedType: "a type",
  tupleType: "a type",
  quantity: amountWanted,
  limitClause: amountWanted,
  count: "a number or the name of a parameter",
  retryClause: "a number or the name of a parameter",
  literal: "a string, a number, `true`, `false` or `null`",
  constant: "`true`, `false` or `null`",
  caseValues: "a string, a number, `true`, `false` or `null`",
  hopTarget: "a node, `each`, `match`, `{` or `[`",
  flowSource: "a node",
  branch: "a condition or `else`",
  matchCase: "a value or `else`",
  templatePieces: "the closing backtick",
  testItem: "`given`, `expect` or what a node says",
};

/** Chevrotain asks this for a message; ours is only what was expected, `syntaxFinding` makes the sentence. */
export const expectations: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => labelOf(expected),
  buildNotAllInputParsedMessage: () => "a declaration",
  buildNoViableAltMessage: ({ ruleName, expectedPathsPerAlt }) =>
    wantedByRule[ruleName] ?? oneOf(expectedPathsPerAlt.flat()),
  buildEarlyExitMessage: ({ ruleName, expectedIterationPaths }) =>
    wantedByRule[ruleName] ?? oneOf(expectedIterationPaths),
};

function oneOf(paths: readonly (readonly TokenType[])[]): string {
  const labels = [...new Set(paths.flatMap(([first]) => (first ? [labelOf(first)] : [])))];
  const last = labels.pop() ?? "something else";
  return labels.length === 0 ? last : `${labels.join(", ")} or ${last}`;
}

function labelOf(type: TokenType): string {
  return type.LABEL ?? type.name;
}

/** The finding for a rule that failed; nothing if it only follows from a string that was never closed. */
export function syntaxFinding(error: IRecognitionException, previous: IToken): Finding | undefined {
  if (previous.tokenType === token.UnclosedString) return undefined;
  const expected = error.message;
  const found = error.token;
  if (expected === "a name" && isReserved(found)) return reservedAsName(found);
  const rule = error.context.ruleStack.at(-1);
  if (rule === "annotation" && error.context.ruleStack.at(-2) === "memoryDecl")
    return { ...withoutType(previous, found), hint: memoryForm };
  if (rule === "annotation") return withoutType(previous, found);
  if (rule === "objectType" && found.tokenType === token.LeftSquare)
    return {
      code: "M1101",
      message: "an object type names its members, and has no index",
      span: errorSpan(previous, found),
      hint: "an object with any keys is `Record<string, int>`",
    };
  const operator = expected === "`->`" ? foreignOperator(previous, found) : undefined;
  if (operator !== undefined && onSameLine(previous, found)) return operator;
  const spread = foreignSpread(found);
  if (spread !== undefined && isPartOfValue(expected)) return spread;
  if (rule !== "hole" && isMissingComma(expected, previous, found))
    return missingComma(previous, found);
  return {
    code: "M1101",
    message: `expected ${expected} after ${quote(previous)}, found ${foundAfter(previous, found)}`,
    span: errorSpan(previous, found),
    hint: hintFor(expected, previous, found),
  };
}

const memoryForm =
  "write `memory NAME: TYPE`; between name and colon may stand `user`, `thread`, `agent` or `workspace`";

/** The finding for a name behind which a colon and a type belong. */
export function withoutType(previous: IToken, found: IToken): Finding {
  return {
    code: "M1107",
    message: `${quote(previous)} has no type`,
    span: errorSpan(previous, found),
    hint: `write \`${previous.image}: string\``,
  };
}

/** The finding for one of the seven words that no name can be. */
export function reservedAsName(found: IToken): Finding {
  return {
    code: "M1106",
    message: `\`${found.image}\` is a reserved word and cannot be a name`,
    span: spanOf(found),
    hint: `choose another name, for example \`${found.image}_\``,
  };
}

function isMissingComma(expected: string, previous: IToken, found: IToken): boolean {
  const closes = expected === "`]`" || expected === "`)`" || expected === "`}`";
  return closes && onSameLine(previous, found) && endsValue(previous) && beginsValue(found);
}

function isPartOfValue(expected: string): boolean {
  return ["`]`", "`}`", "`)`", "an expression"].includes(expected);
}

/** The finding for two items of a list with nothing between them. */
export function missingComma(previous: IToken, found: IToken): Finding {
  const operator = foreignOperator(previous, found);
  if (operator !== undefined) return operator;
  return {
    code: "M1103",
    message: `a comma is missing between ${quote(previous)} and ${quote(found)}`,
    span: spanOf(found),
  };
}

function endsValue({ tokenType }: IToken): boolean {
  return is(tokenType, token.Word) || is(tokenType, token.StringToken) || isNumber(tokenType);
}

/** Returns whether a value may begin with this token. */
export function beginsValue({ tokenType }: IToken): boolean {
  const opens = tokenType === token.TickOpen || tokenType === token.LeftCurly;
  return (
    is(tokenType, token.Word) || is(tokenType, token.StringToken) || isNumber(tokenType) || opens
  );
}

function isNumber(type: TokenType): boolean {
  return type === token.NumberToken || type === token.DurationToken || type === token.MoneyToken;
}

/** Returns whether a token type is another one, or belongs to its category. */
export function is(type: TokenType, category: TokenType): boolean {
  return type === category || category.categoryMatchesMap?.[type.tokenTypeIdx ?? -1] === true;
}

function isReserved({ tokenType }: IToken): boolean {
  return is(tokenType, token.Reserved);
}

/** Returns whether the token is the end of the text, or lies before its beginning. */
export function isEnd({ tokenType }: IToken): boolean {
  return tokenType === EOF;
}

/** Returns whether `found` stands on the line that `previous` ends on. */
export function onSameLine(previous: IToken, found: IToken): boolean {
  return !isEnd(found) && previous.endLine === found.startLine;
}

function foundAfter(previous: IToken, found: IToken): string {
  if (isEnd(found)) return "the end of the text";
  return onSameLine(previous, found) ? quote(found) : "the end of the line";
}

/** A token as the person wrote it, shortened to what fits a message. */
export function quote({ image }: IToken): string {
  if (image.includes("`")) return "a backtick";
  if (image.trim() === "" || image.includes("\n")) return "the text of the prompt";
  const line = image.split("\n")[0] ?? "";
  return `\`${line.length > 40 ? `${line.slice(0, 39)}…` : line}\``;
}

/**
 * Returns the span of a syntax error: the token found, or the end of the line before it if
 * something is missing there.
 */
export function errorSpan(previous: IToken, found: IToken): Span {
  if (onSameLine(previous, found)) return spanOf(found);
  const { end } = spanOf(previous);
  return isEnd(previous) ? { start: 0, end: 0 } : { start: end, end };
}

/** Returns the hint for a syntax error; undefined if the tokens suggest none. */
export function hintFor(expected: string, previous: IToken, found: IToken): string | undefined {
  const type = found.tokenType;
  if (type === token.Equals && onSameLine(previous, found)) return "did you mean `==`?";
  if (expected === "`->`" && onSameLine(previous, found)) return "an edge is written `a -> b`";
  if (expected === "a duration like `30s`") return "a duration is a number with ms, s, m, h or d";
  if (previous.image === "/" && /^\d+$/.test(found.image) && expected === "a name")
    return `did you mean \`step_${found.image}\`? So the step of a plan is called whose id is ${found.image}`;
  if (previous.tokenType === token.Comma) return "remove the comma, or write what follows it";
  return undefined;
}
