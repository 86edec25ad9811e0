/** Lists the functions of expressions that count a node, which they are given by its name alone. */
import type { ExprIr } from "../ir/ir-expression.ts";

const NODE_COUNTS = ["visits", "round"] as const;

/**
 * `visits(n)` is how often `n` has run to its end: in the run, or in the item whose line this is. `round(n)` is the same since
 * its loop was last entered; in the clauses of `n` itself the round that is under way counts, too.
 */
export type NodeCount = (typeof NODE_COUNTS)[number];

export const nodeCounts: ReadonlySet<string> = new Set(NODE_COUNTS);

/** The node that a call counts; undefined for any other expression. */
export function countedNode(
  expr: ExprIr,
): { readonly count: NodeCount; readonly node: string } | undefined {
  if (expr.kind !== "call" || expr.callee.kind !== "name" || expr.callee.of !== "special")
    return undefined;
  const [arg] = expr.args;
  if (arg?.value.kind !== "name" || arg.value.of !== "node") return undefined;
  return { count: expr.callee.name as NodeCount, node: arg.value.name };
}
