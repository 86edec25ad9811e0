/** Decides whether two conditions can never hold together. */
import type { ExprIr } from "../../ir/ir.ts";
import { printExpression } from "../../print/print-expression.ts";

/**
 * Returns whether no value makes both conditions true: `c` beside `!c`, one value compared with two
 * literals, or with ranges of numbers that have nothing in common. Also returns false where the
 * form of the conditions does not show it.
 */
export function areExclusive(a: ExprIr, b: ExprIr): boolean {
  if (areOpposite(a, b)) return true;
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const split = splitCondition(one);
    if (split?.op === "||") return split.parts.every((part) => areExclusive(part, other));
    if (split?.op === "&&") return split.parts.some((part) => areExclusive(part, other));
  }
  const [first, second] = [comparisonOf(a), comparisonOf(b)];
  if (first === undefined || second === undefined || first.subject !== second.subject) return false;
  return contradict(first, second);
}

function areOpposite(a: ExprIr, b: ExprIr): boolean {
  return (
    printExpression(a) === printExpression(negated(b)) ||
    printExpression(b) === printExpression(negated(a))
  );
}

const OPPOSITE = { "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">" } as const;
const MIRRORED = { "==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<=" } as const;

function negated(expr: ExprIr): ExprIr {
  if (expr.kind === "unary" && expr.op === "!") return expr.operand;
  if (expr.kind === "binary" && isComparing(expr.op)) return { ...expr, op: OPPOSITE[expr.op] };
  return { kind: "unary", op: "!", operand: expr };
}

type Comparing = keyof typeof OPPOSITE;

function isComparing(op: string): op is Comparing {
  return Object.hasOwn(OPPOSITE, op);
}

interface SplitComparison {
  readonly op: "&&" | "||";
  readonly parts: readonly ExprIr[];
}

/** The parts of `a && b`, `a || b` and of what negates them. */
function splitCondition(expr: ExprIr): SplitComparison | undefined {
  if (expr.kind === "binary" && (expr.op === "&&" || expr.op === "||"))
    return { op: expr.op, parts: [expr.left, expr.right] };
  if (expr.kind !== "unary" || expr.op !== "!") return undefined;
  const { operand } = expr;
  if (operand.kind === "unary" && operand.op === "!") return { op: "&&", parts: [operand.operand] };
  const inner = splitCondition(operand);
  if (inner === undefined) return undefined;
  const not = (part: ExprIr): ExprIr => ({ kind: "unary", op: "!", operand: part });
  return { op: inner.op === "&&" ? "||" : "&&", parts: inner.parts.map(not) };
}

type Literal = string | number | boolean | null;

/** A value compared with a literal. */
interface Comparison {
  readonly subject: string;
  readonly op: Comparing;
  readonly value: Literal;
  /** It is written as `!(n < 3)`, which holds of what is no number, too. */
  readonly isNegated: boolean;
}

function comparisonOf(expr: ExprIr): Comparison | undefined {
  if (expr.kind === "unary" && expr.op === "!") {
    const inner = comparisonOf(expr.operand);
    return inner && { ...inner, op: OPPOSITE[inner.op], isNegated: !inner.isNegated };
  }
  if (expr.kind !== "binary" || !isComparing(expr.op)) return undefined;
  const [left, right] = [literalOf(expr.left), literalOf(expr.right)];
  if (right !== undefined)
    return { subject: printExpression(expr.left), op: expr.op, value: right, isNegated: false };
  if (left === undefined) return undefined;
  const op = MIRRORED[expr.op];
  return { subject: printExpression(expr.right), op, value: left, isNegated: false };
}

function literalOf(expr: ExprIr): Literal | undefined {
  if (expr.kind === "literal") return expr.value;
  if (expr.kind !== "unary" || expr.op !== "-") return undefined;
  const value = literalOf(expr.operand);
  return typeof value === "number" ? -value : undefined;
}

function contradict(a: Comparison, b: Comparison): boolean {
  if (a.op === "==" && b.op === "==") return a.value !== b.value;
  if (a.op === "==" && b.op === "!=") return a.value === b.value;
  if (a.op === "!=" && b.op === "==") return a.value === b.value;
  return (a.isNegated && b.isNegated ? undefined : areApart(a, b)) ?? false;
}

/**
 * Returns whether the ranges of numbers of two comparisons have nothing in common; undefined if one
 * of them is no range.
 */
function areApart(a: Comparison, b: Comparison): boolean | undefined {
  const [first, second] = [rangeOf(a), rangeOf(b)];
  if (first === undefined || second === undefined) return undefined;
  const from = Math.max(first.from, second.from);
  const to = Math.min(first.to, second.to);
  if (from !== to) return from > to;
  return [first, second].some((range) => range.open && (range.from === from || range.to === to));
}

interface Range {
  readonly from: number;
  readonly to: number;
  /** The number at its end is not in it. */
  readonly open: boolean;
}

function rangeOf({ op, value }: Comparison): Range | undefined {
  if (typeof value !== "number") return undefined;
  switch (op) {
    case "==":
      return { from: value, to: value, open: false };
    case "!=":
      return undefined;
    case "<":
    case "<=":
      return { from: Number.NEGATIVE_INFINITY, to: value, open: op === "<" };
    case ">":
    case ">=":
      return { from: value, to: Number.POSITIVE_INFINITY, open: op === ">" };
  }
}
