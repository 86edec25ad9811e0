/** Operators by precedence: a flat list of operands and operators becomes a tree. */
import type { Span } from "../diagnostics/source.ts";
import type { BinaryOp, ExprAst } from "./tree/ast.ts";

/** One side of an operator; the span is wider than the expression's if it stands in parentheses. */
export interface Operand {
  readonly expression: ExprAst;
  readonly span: Span;
  /** The offsets of the `not`s before it. */
  readonly negations: readonly number[];
}

/** An expression so far, and an operator that waits for its right side: a `not` by its place. */
type Folded = Omit<Operand, "negations">;
type PendingOperator = WrittenOperator | number;

/** `not` binds less than a comparison and more than `&&`, as in Python. */
const NEGATION_STRENGTH = 2.5;

/** An operator between two operands; `not` stands for `not in`. */
export type WrittenOperator = BinaryOp | "not";

const strength: Readonly<Record<WrittenOperator, number>> = {
  "??": 1,
  "||": 1,
  "&&": 2,
  "==": 3,
  "!=": 3,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  in: 4,
  not: 4,
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
  operators: readonly WrittenOperator[],
): ExprAst {
  const stack: Folded[] = [];
  const waiting: PendingOperator[] = [];
  for (const [index, operand] of operands.entries()) {
    const operator = operators[index - 1];
    if (operator !== undefined) {
      while (strengthOf(waiting.at(-1)) >= strength[operator]) fold(stack, waiting);
      waiting.push(operator);
    }
    waiting.push(...operand.negations);
    stack.push(operand);
  }
  while (waiting.length > 0) fold(stack, waiting);
  const [whole] = stack;
  if (whole === undefined) throw new Error("an expression has at least one operand");
  return whole.expression;
}

function strengthOf(operator: PendingOperator | undefined): number {
  if (operator === undefined) return 0;
  return typeof operator === "number" ? NEGATION_STRENGTH : strength[operator];
}

function fold(stack: Folded[], waiting: PendingOperator[]): void {
  const [right, op] = [stack.pop(), waiting.pop()];
  if (right === undefined || op === undefined) return;
  if (typeof op === "number") {
    stack.push(negated(right.expression, { start: op, end: right.span.end }));
    return;
  }
  const left = stack.pop();
  if (left === undefined) return;
  const span = { start: left.span.start, end: right.span.end };
  const sides = { left: left.expression, right: right.expression, span };
  if (op === "not") stack.push(negated({ kind: "binary", op: "in", ...sides }, span));
  else stack.push({ expression: { kind: "binary", op, ...sides }, span });
}

function negated(operand: ExprAst, span: Span): Folded {
  return { expression: { kind: "unary", op: "!", operand, span }, span };
}
