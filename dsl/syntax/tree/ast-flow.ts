/** Arrows, as the person wrote them. */
import type { Span } from "../../diagnostics/source.ts";

import type {
  ArgAst,
  AssignAst,
  CountAst,
  ExprAst,
  LiteralAst,
  Name,
  StringLiteral,
} from "./ast-expression.ts";
import type { StateDecl } from "./ast-state.ts";

export interface FlowDecl {
  readonly kind: "flow";
  readonly source: SourceAst;
  readonly hops: readonly HopAst[];
  readonly span: Span;
}

export type SourceAst =
  | { readonly kind: "any"; readonly nodes: readonly Name[]; readonly span: Span }
  | {
      readonly kind: "join";
      readonly nodes: readonly Name[];
      readonly need?: CountAst;
      readonly span: Span;
    };

/**
 * A target behind one arrow. `clauses` are those written behind it: `when`, `max`, `after`, `on`,
 * `set`.
 */
export type HopAst = HopTarget & {
  readonly clauses: readonly HopClause[];
  readonly span: Span;
};

export type HopTarget =
  /** `a`, or `a | b | end`: one of. */
  | { readonly kind: "one-of"; readonly refs: readonly RefAst[] }
  /** `[a, b]`: all of. */
  | { readonly kind: "all-of"; readonly refs: readonly RefAst[] }
  | { readonly kind: "choice"; readonly branches: readonly BranchAst[] }
  | { readonly kind: "match"; readonly subject: ExprAst; readonly cases: readonly CaseAst[] }
  | EachAst;

export interface EachAst {
  readonly kind: "each";
  readonly variable: Name;
  readonly items: ExprAst;
  readonly parallel?: CountAst;
  readonly need?: CountAst;
  readonly when?: ExprAst;
  readonly onErrorSkip: boolean;
  /** The fields of an item's own. */
  readonly states: readonly StateDecl[];
  /** The chain on which each item begins. */
  readonly body: readonly HopAst[];
  /** The further arrows between the nodes of the body. */
  readonly flows: readonly FlowDecl[];
}

export interface RefAst {
  readonly node: Name;
  readonly args: readonly ArgAst[];
  readonly label?: StringLiteral;
  readonly span: Span;
}

export interface BranchAst {
  /** Absent means `else`. */
  readonly condition?: ExprAst;
  readonly hops: readonly HopAst[];
  readonly span: Span;
}

export interface CaseAst {
  /** Absent means `else`. */
  readonly values?: readonly LiteralAst[];
  readonly hops: readonly HopAst[];
  readonly span: Span;
}

export type HopClause =
  | { readonly kind: "when"; readonly condition: ExprAst; readonly span: Span }
  | { readonly kind: "max"; readonly count: CountAst; readonly span: Span }
  | { readonly kind: "after"; readonly ms: number; readonly span: Span }
  | { readonly kind: "on"; readonly what: Name; readonly span: Span }
  | { readonly kind: "detached"; readonly span: Span }
  | { readonly kind: "set"; readonly assigns: readonly AssignAst[]; readonly span: Span };
