/** Lowers expressions: each name gets its meaning. */
import type { Span } from "../diagnostics/source.ts";
import { defined } from "../ir/defined.ts";
import type { ArgIr, AssignIr, EntryIr, ExprIr, ReducerIr, SpanIr } from "../ir/ir.ts";
import { meaningOf, type Scope, withVariable } from "../names/scope.ts";
import type { ArgAst, AssignAst, ExprAst, ObjectAst, ViaAst } from "../syntax/tree/ast.ts";
import { nodeCounts } from "../vocabulary/node-counts.ts";
import { reducerFacts } from "../vocabulary/reducers.ts";

/** An expression with every name's meaning written into it; a name that nobody knows is taken as TypeScript's. */
export function lowerExpression(expr: ExprAst, scope: Scope): ExprIr {
  const span = spanOf(expr.span);
  const lower = (inner: ExprAst) => lowerExpression(inner, scope);
  switch (expr.kind) {
    case "string":
    case "number":
    case "boolean":
      return { kind: "literal", value: expr.value, span };
    case "null":
      return { kind: "literal", value: null, span };
    case "duration":
      return { kind: "duration", ms: expr.ms, span };
    case "money":
      return { kind: "money", usd: expr.usd, span };
    case "name":
      return {
        kind: "name",
        name: expr.text,
        of: meaningOf(scope, expr.text)?.of ?? "scope",
        span,
      };
    case "member": {
      const { name, optional } = expr;
      return { kind: "member", object: lower(expr.object), name: name.text, optional, span };
    }
    case "index":
      return { kind: "index", object: lower(expr.object), index: lower(expr.index), span };
    case "call":
      return lowerCall(expr, scope);
    case "unary":
      return lowerUnary(expr, scope);
    case "binary": {
      const { op, left, right } = expr;
      return { kind: "binary", op, left: lower(left), right: lower(right), span };
    }
    case "conditional": {
      const { test, then, else: other } = expr;
      return {
        kind: "conditional",
        test: lower(test),
        then: lower(then),
        else: lower(other),
        span,
      };
    }
    case "lambda":
      return lowerLambda(expr, scope);
    case "list":
      return { kind: "list", items: expr.items.map(lower), span };
    case "spread":
      return { kind: "spread", value: lower(expr.value), span };
    case "range":
      return { kind: "range", from: lower(expr.from), to: lower(expr.to), span };
    case "merge":
      return { kind: "merge", parts: expr.parts.map(lower), span };
    case "object":
      return { kind: "object", entries: lowerEntries(expr, scope), span };
    case "template":
      return {
        kind: "template",
        parts: expr.parts.map((part) => (typeof part === "string" ? part : lower(part))),
        span,
      };
  }
}

type CallAst = ExprAst & { readonly kind: "call" };

function lowerCall(call: CallAst, scope: Scope): ExprIr {
  const span = spanOf(call.span);
  const callee = lowerExpression(call.callee, scope);
  if (!isNodeCount(call.callee, scope))
    return { kind: "call", callee, args: lowerArgs(call.args, scope), span };
  const args = call.args.map(({ value }): ArgIr => {
    if (value.kind !== "name") return { value: lowerExpression(value, scope) };
    return { value: { kind: "name", name: value.text, of: "node", span: spanOf(value.span) } };
  });
  return { kind: "call", callee, args, span };
}

/** Tells whether what is called counts a node: nothing nearer has that name. */
export function isNodeCount(callee: ExprAst, scope: Scope): boolean {
  return (
    callee.kind === "name" &&
    nodeCounts.has(callee.text) &&
    meaningOf(scope, callee.text)?.of === "special"
  );
}

/** The arguments of a call or of a reference to a node. */
export function lowerArgs(args: readonly ArgAst[], scope: Scope): readonly ArgIr[] {
  return args.map(({ label, value }) =>
    defined({ label: label?.text, value: lowerExpression(value, scope) }),
  );
}

/** The assignments of a `set`. */
export function lowerAssigns(assigns: readonly AssignAst[], scope: Scope): readonly AssignIr[] {
  return assigns.map(({ field, value, via }) =>
    defined({
      field: field.text,
      value: lowerExpression(value, scope),
      via: via && lowerVia(via, scope),
    }),
  );
}

/** Lowers `via` to the reducer of a field; without one the reducer is `replace`. */
export function lowerVia(via: ViaAst | undefined, scope: Scope): ReducerIr {
  if (via === undefined) return { name: "replace", custom: false, args: [] };
  const name = via.name.text;
  const custom = reducerFacts(name) === undefined;
  return { name, custom, args: via.args.map((arg) => lowerExpression(arg.value, scope)) };
}

/** The entries of an object; the short form `{ a }` names itself. */
function lowerEntries(object: ObjectAst, scope: Scope): readonly EntryIr[] {
  return object.entries.map(({ key, value }) => ({
    key: key.text,
    value: lowerExpression(value ?? { kind: "name", ...key }, scope),
  }));
}

/** A span as the IR keeps it. */
export function spanOf({ start, end }: Span): SpanIr {
  return [start, end];
}

/** `-1` is a number like any other, so that a literal has one form. */
function lowerUnary(expr: ExprAst & { readonly kind: "unary" }, scope: Scope): ExprIr {
  const span = spanOf(expr.span);
  if (expr.op === "-" && expr.operand.kind === "number")
    return { kind: "literal", value: -expr.operand.value, span };
  return { kind: "unary", op: expr.op, operand: lowerExpression(expr.operand, scope), span };
}

function lowerLambda(expr: ExprAst & { readonly kind: "lambda" }, scope: Scope): ExprIr {
  const inner = expr.params.reduce(
    (outer, param) => withVariable(outer, param.text, undefined),
    scope,
  );
  return {
    kind: "lambda",
    params: expr.params.map((param) => param.text),
    body: lowerExpression(expr.body, inner),
    span: spanOf(expr.span),
  };
}
