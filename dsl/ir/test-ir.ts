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
  readonly expects: readonly ExpectIr[];
}

/** A value that the run starts with: of a parameter, or of a field instead of its default. */
export interface GivenIr {
  readonly name: string;
  readonly of: "param" | "field";
  readonly value: ExprIr;
  readonly span: SpanIr;
}

/** The scripted results of a node, one line an attempt; the last one is used again. */
export interface ScriptIr {
  readonly node: string;
  readonly lines: readonly { readonly how: "says" | "fails"; readonly value: ExprIr }[];
  readonly span: SpanIr;
}

export type ExpectIr =
  /** Node names in the order of their commits; `end` last where the run must have got there. */
  | { readonly kind: "path"; readonly nodes: readonly string[]; readonly span: SpanIr }
  /** `visits(n)` is lowered to the member `n` of the variable `visits`. */
  | { readonly kind: "holds"; readonly condition: ExprIr; readonly span: SpanIr };
