/** A `test` as plain JSON, complete in itself: with the graph it is of, and the places to point at when it fails. */
import type { ExprIr, Ir, SpanIr } from "./ir.ts";

export interface TestIr {
  readonly name: string;
  /** As the test calls it. */
  readonly graph: string;
  /** The graph itself; much of it may run only with scripted nodes. */
  readonly ir: Ir;
  /** The text that the test stands in; spans are places in it. */
  readonly source: { readonly file: string; readonly text: string };
  /** Of the title, from 1. */
  readonly line: number;
  readonly span: SpanIr;
  readonly givens: readonly GivenIr[];
  readonly scripts: readonly ScriptIr[];
  /** The values that are generated instead of given; absent where none are. */
  readonly anyInput?: AnyInputIr;
  /** The place of `in any order`; absent where one order is tried. */
  readonly anyOrder?: { readonly span: SpanIr };
  readonly expects: readonly ExpectIr[];
}

/** A value that the run starts with: of a parameter, or of a field instead of its default. */
export interface GivenIr {
  readonly name: string;
  readonly of: "param" | "field";
  readonly value: ExprIr;
  readonly span: SpanIr;
}

/** `for any a, b when a > b`: generated values, and the condition that they must meet. */
export interface AnyInputIr {
  readonly inputs: readonly GeneratedInputIr[];
  readonly when?: ExprIr;
  readonly span: SpanIr;
}

/** A parameter or a field whose value is generated from its type. */
export interface GeneratedInputIr {
  readonly name: string;
  readonly of: "param" | "field";
}

/**
 * The lines of a node: an attempt takes the next result (`says`, `fails`) with the `calls` before it, a question about the
 * node the next answer (`answers`, `denied`, `expires`). The last one of each is used again.
 */
export interface ScriptIr {
  /** `go/say` is the node `say` of the graph that `go` calls. */
  readonly node: string;
  readonly lines: readonly ScriptLineIr[];
  readonly span: SpanIr;
}

/** The value behind `expires` is null. */
export interface ScriptLineIr {
  readonly how: "says" | "fails" | "denied" | "answers" | "calls" | "expires";
  readonly value: ExprIr;
}

export type ExpectIr =
  /** Node names in the order of their commits; `end` last where the run must have got there. */
  | { readonly kind: "path"; readonly nodes: readonly string[]; readonly span: SpanIr }
  /** The node must have been sent a message of a kind; of an object, the members that are named are compared. */
  | {
      readonly kind: "told";
      readonly node: string;
      readonly as: string;
      readonly payload?: ExprIr;
      readonly span: SpanIr;
    }
  | { readonly kind: "holds"; readonly condition: ExprIr; readonly span: SpanIr };
