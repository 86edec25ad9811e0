/** Decides for which nodes a `cache` clause means something. */
import type { NodeKind } from "../ir/ir.ts";
import type { Clause } from "../syntax/tree/ast.ts";

/**
 * Returns the reason why the output of a node with these clauses can't be cached, as a clause for a
 * message; undefined if it can.
 */
export function whyNotKept(word: NodeKind, clauses: readonly Clause[]): string | undefined {
  const isExternal = clauses.some(
    (clause) => clause.kind === "effects" && clause.level === "external",
  );
  if (isExternal)
    return "it may change the world outside, which a cached result would not do again";
  if (clauses.some(({ kind }) => kind === "every")) return "each round of `every` must run again";
  if (word === "operator") return "an operator works outside of the run";
  return word === "graph" ? "the nodes of the graph have their own `cache`" : undefined;
}

/** The same for a `cache` of `defaults { }`, which nobody wrote for this node: a person is asked each time then. */
export function whyNotByDefault(word: NodeKind, clauses: readonly Clause[]): string | undefined {
  if (word === "human") return "a person is to be asked each time";
  return whyNotKept(word, clauses);
}
