/** A piece with what it does where it stands. */
import type { FormatFrame } from "./frame-types.ts";
import type { Piece } from "./pieces.ts";

/** The rows and columns of the spacing table. A `tight` bracket belongs to what stands before it: `f(`, `xs[`. */
export type TokenRole =
  | "name"
  | "keyword"
  | "literal"
  | "template"
  | "comment"
  | "unknown"
  | "open"
  | "tight-open"
  | "close"
  | "open-brace"
  | "close-brace"
  | "open-type"
  | "close-type"
  | "comma"
  | "semicolon"
  | "colon"
  | "mark"
  | "dot"
  | "unary"
  | "operator";

export interface TokenRead {
  readonly piece: Piece;
  readonly role: TokenRole;
  /** The frame that the token stands in; brackets stand in the frame around them. */
  readonly frame: FormatFrame;
  readonly isItemStart: boolean;
  /** True if a line that began with it would continue an item. */
  readonly isContinuing: boolean;
  readonly opens?: FormatFrame;
  readonly closes?: FormatFrame;
}

const operandEnds: ReadonlySet<TokenRole> = new Set<TokenRole>([
  ...(["name", "literal", "template", "unknown"] as const),
  ...(["close", "close-brace", "close-type", "mark"] as const),
]);

/** Returns whether a value, a type or a name ends here, so that what follows can't be one. */
export function isOperandEnd({ role }: TokenRead): boolean {
  return operandEnds.has(role);
}
