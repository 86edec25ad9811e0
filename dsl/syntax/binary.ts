/** Operators by precedence: a flat list of operands and operators becomes a tree. */
import type { Span } from "../diagnostics/source.ts";
import type { BinaryOp, ExprAst } from "./tree/ast.ts";

/** One side of an operator; the span is wider than the expression's if it stands in parentheses. */
export interface Operand {
  readonly expression: ExprAst;
  readonly span: Span;
}

const strength: Readonly<Record<BinaryOp, number>> = {
  "??": 1,
  "||": 1,
  "&&": 2,
  "==": 3,
  "!=": 3,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6,
};

/**
 * Builds the expression of `a + b * c` by the strengths of its operators, of which there is one
 * less than operands. Throws an `Error` without an operand, which is a fault of ours.
 */
export function binaryExpression(
  operands: readonly Operand[],
  operators: readonly BinaryOp[],
): ExprAst {
  const stack: Operand[] = operands.slice(0, 1);
  const waiting: BinaryOp[] = [];
  for (const [index, operator] of operators.entries()) {
    while (strengthOf(waiting.at(-1)) >= strength[operator]) fold(stack, waiting);
    waiting.push(operator);
    stack.push(...operands.slice(index + 1, index + 2));
  }
  while (waiting.length > 0) fold(stack, waiting);
  const [whole] = stack;
  if (whole === undefined) throw new Error("an expression has at least one operand");
  return whole.expression;
}

function strengthOf(operator: BinaryOp | undefined): number {
  return operator === undefined ? 0 : strength[operator];
}

function fold(stack: Operand[], waiting: BinaryOp[]): void {
  const [right, left, op] = [stack.pop(), stack.pop(), waiting.pop()];
  if (left === undefined || right === undefined || op === undefined) return;
  const span = { start: left.span.start, end: right.span.end };
  stack.push({
    expression: { kind: "binary", op, left: left.expression, right: right.expression, span },
    span,
  });
}
