import type { ExprIr } from "../ir.ts";
import { printExpression } from "../print/print-expression.ts";
import { type Arc, type Branch, isJoin, type Place, type Places, reach } from "./places.ts";

/** Which nodes can be at work at the same time. */
export interface Overlap {
  readonly has: (a: string, b: string) => boolean;
}

/**
 * Two nodes overlap if they stand behind two sides of one fork that no join brought together, or run for items of one
 * `each` at once. A node never overlaps itself outside an `each`: further arrivals wait for it.
 */
export function overlapOf(places: Places): Overlap {
  const pairs = new Set<string>();
  for (const { each, nodes } of places.eaches)
    if (each.parallel !== 1) for (const a of nodes) for (const b of nodes) pairs.add(pairKey(a, b));
  for (const [place, branches] of places.branches)
    for (const [a, b] of forksOf(branches)) addFork(place, a, b, places.arcs, pairs);
  return { has: (a, b) => pairs.has(pairKey(a, b)) };
}

function pairKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

type Side = readonly Place[];

/** The pairs of sides that leave a place together: targets of one `[ ]`, and arrows that can both be taken. */
function forksOf(branches: readonly Branch[]): readonly (readonly [Side, Side])[] {
  const inside = branches.flatMap((branch) =>
    branch.alternatives.flatMap((targets) => pairsOf(targets.map((target) => [target]))),
  );
  const between = pairsOf(branches)
    .filter(([a, b]) => a.on === b.on && !areExclusive(a.when, b.when))
    .map(([a, b]) => [a.alternatives.flat(), b.alternatives.flat()] as const);
  return [...inside, ...between];
}

function pairsOf<T>(items: readonly T[]): readonly (readonly [T, T])[] {
  return items.flatMap((a, index) => items.slice(index + 1).map((b) => [a, b] as const));
}

/** `when c` beside `when !c`, or one value compared with two literals. */
function areExclusive(a: ExprIr | undefined, b: ExprIr | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  const [first, second] = [printExpression(a), printExpression(b)];
  if (first === printExpression(negated(b)) || second === printExpression(negated(a))) return true;
  const [left, right] = [comparison(a), comparison(b)];
  return (
    left !== undefined &&
    right !== undefined &&
    left.subject === right.subject &&
    left.value !== right.value
  );
}

const OPPOSITE = { "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">" } as const;

function negated(expr: ExprIr): ExprIr {
  if (expr.kind === "unary" && expr.op === "!") return expr.operand;
  if (expr.kind === "binary" && Object.hasOwn(OPPOSITE, expr.op))
    return { ...expr, op: OPPOSITE[expr.op as keyof typeof OPPOSITE] };
  return { kind: "unary", op: "!", operand: expr };
}

function comparison(
  expr: ExprIr,
): { readonly subject: string; readonly value: string } | undefined {
  if (expr.kind !== "binary" || expr.op !== "==" || expr.right.kind !== "literal") return undefined;
  return { subject: printExpression(expr.left), value: printExpression(expr.right) };
}

function addFork(place: Place, a: Side, b: Side, arcs: readonly Arc[], pairs: Set<string>): void {
  const [fullA, fullB] = [reach(a, arcs), reach(b, arcs)];
  // Behind a join that waits for both sides there is one line again.
  const isShared = (join: Place) => isJoin(join) && fullA.has(join) && fullB.has(join);
  const [sideA, sideB] = [reach(a, arcs, isShared), reach(b, arcs, isShared)];
  addPairs(sideA, sideB, pairs);
  // A side that comes back to the fork starts the other one again, beside what is left of it.
  if (sideA.has(place)) addPairs(sideB, sideB, pairs);
  if (sideB.has(place)) addPairs(sideA, sideA, pairs);
}

function addPairs(a: ReadonlySet<Place>, b: ReadonlySet<Place>, pairs: Set<string>): void {
  for (const left of a) for (const right of b) if (left !== right) pairs.add(pairKey(left, right));
}
