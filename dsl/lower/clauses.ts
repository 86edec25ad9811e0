import type { NodeKind } from "../ir/ir.ts";
import type { GraphSymbols, NodeSymbol } from "../names/symbol-tables.ts";
import type { Clause } from "../syntax/tree/ast.ts";
import { whyNotByDefault } from "./kept-output.ts";

type ClauseKind = Clause["kind"];

const EVERY_NODE = [
  "reads",
  "writes",
  "state",
  "effects",
  "tell",
  "retry",
  "limit",
  "cache",
  "ensure",
  "every",
  "store",
  "approve",
  "set",
] as const satisfies readonly ClauseKind[];

const MODEL_CALL = [
  ...EVERY_NODE,
  "model",
  "system",
  "prompt",
  "tools",
  "skills",
  "history",
  "context",
  "recall",
] as const satisfies readonly ClauseKind[];

/** Which clauses mean something in which kind of node. */
export const CLAUSES_OF_KIND: Readonly<Record<NodeKind, readonly ClauseKind[]>> = {
  agent: MODEL_CALL,
  operator: [...MODEL_CALL, "controller", "session"],
  // It decides where to go on and changes nothing.
  router: MODEL_CALL.filter((kind) => kind !== "writes" && kind !== "set"),
  human: [...EVERY_NODE, "ask", "edits", "recall"],
  run: EVERY_NODE,
  tool: EVERY_NODE,
  reduce: EVERY_NODE,
  graph: EVERY_NODE,
};

/** Clauses that add up when they stand several times; any other may stand once. */
export const REPEATABLE: readonly ClauseKind[] = [
  "ensure",
  "approve",
  "set",
  "recall",
  "store",
  "state",
];

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
  const kinds = CLAUSES_OF_KIND[node.word];
  const lacking = defaults.filter(
    ({ kind }) =>
      kind !== "state" && kinds.includes(kind) && own.every((clause) => clause.kind !== kind),
  );
  return [...own, ...lacking];
}

/** What is written in the node itself; a call's `writes` stands before its body. */
export function ownClauses(node: NodeSymbol): readonly Clause[] {
  if (node.kind === "node" || node.writes === undefined) return node.clauses;
  return [node.writes, ...node.clauses];
}
