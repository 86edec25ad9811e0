/** Types of the brackets and items that the formatter is in. */

/** `list` is what stands in `( )` and `[ ]`, `choice` the branches or the body behind an arrow, `object` all other `{ }`. */
export type FrameKind =
  | "file"
  | "graph"
  | "body"
  | "state"
  | "choice"
  | "test"
  | "params"
  | "list"
  | "object";

/** An open bracket, and the item of it that is being read. */
export interface FormatFrame {
  readonly kind: FrameKind;
  readonly bracket: string;
  /** True if everything in it is a type: `{ a: string }` behind a colon. */
  readonly isType: boolean;
  item: FormatItem;
}

/** A statement, clause, field, branch or element; what was seen of it so far. */
export interface FormatItem {
  /** The word that says what it is; undefined for an edge, a field, an element. */
  head: string | undefined;
  /** The number of its pieces. */
  length: number;
  isInType: boolean;
  /** `? :` that wait for their colon. */
  conditionals: number;
  /** `<` of types that wait for their `>`. */
  angles: number;
  /** Behind `writes`, a `?` says that the field may be left out. */
  isWriting: boolean;
  hasArrow: boolean;
  /** Behind `says` and the like: `/` divides then, and is no part of a name. */
  isScript: boolean;
}
