/** Completes the writes of a node that calls a graph with several results. */
import type { ExprIr, WriteIr } from "../ir/ir.ts";
import type { GraphSymbols, NodeSymbol } from "../names/symbol-tables.ts";
import { graphCalled } from "../names/symbols.ts";

/**
 * The writes of a node that calls a graph with several results: a field alone takes the result of its own name, as
 * several fields do. Nothing else in the IR would say that its output is not the field's value itself.
 */
export function withResultsByName(
  writes: readonly WriteIr[],
  node: NodeSymbol,
  { file }: GraphSymbols,
): readonly WriteIr[] {
  if (node.kind !== "call" || node.word !== "graph") return writes;
  const [plain, ...others] = writes.filter(({ value }) => value === undefined);
  if (plain === undefined || others.length > 0) return writes;
  const called = graphCalled(file, node.callee.parts.map((part) => part.text).join("."));
  const names = called?.returns.map((name) => name.text) ?? [];
  if (names.length < 2 || !names.includes(plain.field)) return writes;
  return writes.map((write) => (write === plain ? { ...plain, value: resultOf(plain) } : write));
}

function resultOf({ field }: WriteIr): ExprIr {
  const object = { kind: "name", name: "result", of: "special" } as const;
  return { kind: "member", object, name: field, optional: false };
}
