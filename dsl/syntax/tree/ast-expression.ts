/** Names, types and expressions, as the person wrote them. */
import type { Span } from "../../diagnostics/source.ts";

export interface Name {
  readonly text: string;
  readonly span: Span;
}

/** A number, or the name of a parameter or config value that holds one. */
export type CountAst =
  | { readonly kind: "number"; readonly value: number; readonly span: Span }
  | { readonly kind: "name"; readonly name: Name; readonly span: Span };

/** `via union(f => f.url)`: how writes merge into a field. */
export interface ViaAst {
  readonly name: Name;
  readonly args: readonly ArgAst[];
  readonly span: Span;
}

export interface AssignAst {
  readonly field: Name;
  readonly value: ExprAst;
  readonly via?: ViaAst;
  readonly span: Span;
}

// ── types ───────────────────────────────────────────────────────────────────────────────────────

export type TypeAst =
  | {
      readonly kind: "named";
      readonly name: DottedAst;
      readonly args: readonly TypeAst[];
      readonly span: Span;
    }
  | {
      readonly kind: "literal-type";
      readonly value: string | number | boolean | null;
      readonly span: Span;
    }
  | { readonly kind: "object-type"; readonly members: readonly MemberAst[]; readonly span: Span }
  | { readonly kind: "array-type"; readonly of: TypeAst; readonly span: Span }
  | { readonly kind: "tuple-type"; readonly types: readonly TypeAst[]; readonly span: Span }
  | { readonly kind: "union-type"; readonly types: readonly TypeAst[]; readonly span: Span };

export interface MemberAst {
  readonly name: Name;
  readonly optional: boolean;
  readonly type: TypeAst;
}

// ── expressions ─────────────────────────────────────────────────────────────────────────────────

export interface StringLiteral {
  readonly kind: "string";
  /** The text without quotes, escapes resolved. */
  readonly value: string;
  readonly span: Span;
}

export type LiteralAst =
  | StringLiteral
  | { readonly kind: "number"; readonly value: number; readonly span: Span }
  | { readonly kind: "boolean"; readonly value: boolean; readonly span: Span }
  | { readonly kind: "null"; readonly span: Span };

/** `browser.click`, `server."get-sum"`, `fs.*`: the last segment may be `*`. */
export interface DottedAst {
  readonly parts: readonly Name[];
  readonly star: boolean;
  readonly span: Span;
}

export interface ArgAst {
  readonly label?: Name;
  readonly value: ExprAst;
}

export interface ObjectAst {
  readonly kind: "object";
  readonly entries: readonly ObjectEntry[];
  readonly span: Span;
}

/** `key: value`; a key alone names its value. */
export interface ObjectEntry {
  readonly key: Name;
  readonly value?: ExprAst;
}

export interface TemplateAst {
  readonly kind: "template";
  /** Text pieces (escapes resolved, common indentation taken off) and holes, in order. */
  readonly parts: readonly (string | ExprAst)[];
  readonly span: Span;
}

export type BinaryOp =
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "in"
  | "&&"
  | "||"
  | "??"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%";

export type ExprAst =
  | LiteralAst
  | { readonly kind: "duration"; readonly ms: number; readonly span: Span }
  | { readonly kind: "money"; readonly usd: number; readonly span: Span }
  | { readonly kind: "name"; readonly text: string; readonly span: Span }
  | {
      readonly kind: "member";
      readonly object: ExprAst;
      readonly name: Name;
      readonly optional: boolean;
      readonly span: Span;
    }
  | {
      readonly kind: "index";
      readonly object: ExprAst;
      readonly index: ExprAst;
      readonly span: Span;
    }
  | {
      readonly kind: "call";
      readonly callee: ExprAst;
      readonly args: readonly ArgAst[];
      readonly span: Span;
    }
  | {
      readonly kind: "unary";
      readonly op: "!" | "-";
      readonly operand: ExprAst;
      readonly span: Span;
    }
  | {
      readonly kind: "binary";
      /** `===` and `!==` are read as `==` and `!=`: all comparison is strict. */
      readonly op: BinaryOp;
      readonly left: ExprAst;
      readonly right: ExprAst;
      readonly span: Span;
    }
  | {
      readonly kind: "conditional";
      readonly test: ExprAst;
      readonly then: ExprAst;
      readonly else: ExprAst;
      readonly span: Span;
    }
  | {
      readonly kind: "lambda";
      readonly params: readonly Name[];
      readonly body: ExprAst;
      readonly span: Span;
    }
  /** Items, spreads and ranges, in their order. */
  | { readonly kind: "list"; readonly items: readonly ExprAst[]; readonly span: Span }
  /** `...value`, in a list or a merge only. */
  | { readonly kind: "spread"; readonly value: ExprAst; readonly span: Span }
  /** `from..to`, in a list only. */
  | { readonly kind: "range"; readonly from: ExprAst; readonly to: ExprAst; readonly span: Span }
  | ObjectAst
  /** An object with spreads: objects and spreads, in their order. */
  | { readonly kind: "merge"; readonly parts: readonly ExprAst[]; readonly span: Span }
  | TemplateAst;
