/** Operators of other languages, and of the rest of TypeScript, that expressions do not have: what to write instead. */
import type { IToken } from "chevrotain";
import type { Finding } from "../../diagnostics/diagnostic.ts";
import { spanOf } from "../lexer.ts";
import * as token from "../tokens.ts";

const IN_FRONT: ReadonlyMap<string, string> = new Map([
  ["typeof", "compare the value itself, or call a function of TypeScript that looks at it"],
  ["void", "leave it out: an expression has no effect"],
  ["delete", "call a function of TypeScript that gives the object without that member"],
  ["await", "leave it out: a promise that a function gives is awaited"],
  ["new", "call a function of TypeScript that makes it"],
]);

const BETWEEN: ReadonlyMap<string, string> = new Map([
  ["and", "write `&&`"],
  ["or", "write `||`"],
  ["is", "write `==`"],
  ["as", "leave it out: a value has the type that its field declares"],
  ["instanceof", "call a function of TypeScript that looks at the value"],
]);

/**
 * Returns the finding for two words side by side that are an operator of another language and its
 * operand; undefined if they are not.
 */
export function foreignOperator(previous: IToken, found: IToken): Finding | undefined {
  return (
    unknownOperator(previous, IN_FRONT.get(previous.image)) ??
    unknownOperator(found, BETWEEN.get(found.image))
  );
}

/** Returns the finding for `...` where no value can be spread: `f(...values)`; undefined for any other token. */
export function foreignSpread(found: IToken): Finding | undefined {
  if (found.tokenType !== token.DotDotDot) return undefined;
  return {
    code: "M1101",
    message: "`...` stands in a list or an object",
    span: spanOf(found),
    hint: "write `[...a, b]` or `{ ...a, b: 1 }`; the arguments of a node stand one by one",
  };
}

function unknownOperator(found: IToken, hint: string | undefined): Finding | undefined {
  if (hint === undefined) return undefined;
  const message = `expressions have no operator \`${found.image}\``;
  return { code: "M1101", message, span: spanOf(found), hint };
}
