/** Fields, as the person wrote them. */
import type { Span } from "../../diagnostics/source.ts";
import type { ExprAst, Name, TypeAst, ViaAst } from "./ast-expression.ts";

export interface StateDecl {
  readonly kind: "state";
  readonly scope: "run" | "thread" | "user";
  readonly fields: readonly FieldDecl[];
  readonly span: Span;
}

export interface FieldDecl {
  readonly name: Name;
  readonly optional: boolean;
  readonly type: TypeAst;
  readonly value?: ExprAst;
  readonly via?: ViaAst;
  readonly span: Span;
}
