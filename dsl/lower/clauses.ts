/** Gathers the clauses of a node: its own, and those of `defaults { }` that mean something in it. */
import type { NodeKind } from "../ir/ir.ts";
import type { GraphSymbols, NodeSymbol } from "../names/symbol-tables.ts";
import type { Clause } from "../syntax/tree/ast.ts";
import { NODE_KINDS } from "../vocabulary/node-kinds.ts";
import { whyNotByDefault } from "./kept-output.ts";

type ClauseKind = Clause["kind"];

/** Clauses that add up when they stand several times; any other may stand once. */
export const REPEATABLE: readonly ClauseKind[] = [
  "ensure",
  "approve",
  "set",
  "recall",
  "store",
  "state",
];

/** Clauses that mean something in a kind of node. */
export function clausesOfKind(kind: NodeKind): readonly ClauseKind[] {
  return NODE_KINDS[kind].clauses;
}

/** A node's own clauses, then those of `defaults { }` whose kind it lacks and which mean something in it. */
export function clausesOf(node: NodeSymbol, symbols: GraphSymbols): readonly Clause[] {
  const all = withDefaults(node, symbols);
  const isOwn = ownClauses(node).some(({ kind }) => kind === "cache");
  if (isOwn || whyNotByDefault(node.word, all) === undefined) return all;
  return all.filter(({ kind }) => kind !== "cache");
}

/** The same with a `cache` of `defaults { }`, whether or not what the node comes to can be kept. */
export function withDefaults(node: NodeSymbol, { defaults }: GraphSymbols): readonly Clause[] {
  const own = ownClauses(node);
  const kinds = clausesOfKind(node.word);
  const lacking = defaults.filter(
    ({ kind }) =>
      kind !== "state" && kinds.includes(kind) && own.every((clause) => clause.kind !== kind),
  );
  return [...own, ...lacking];
}

/**
 * Returns the clauses of the node itself, without the defaults; a call's `writes`, which stands
 * before its body, is the first.
 */
export function ownClauses(node: NodeSymbol): readonly Clause[] {
  if (node.kind === "node" || node.writes === undefined) return node.clauses;
  return [node.writes, ...node.clauses];
}
