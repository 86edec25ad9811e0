/** The program as a run that began with another one goes on with it: nodes and fields keep the numbers that its log has for them. */
import type { FieldIr, Ir, NodeIr } from "../../dsl/index.ts";

/** By the names of nodes: which one of the new program a node of the old one is now. */
export type Renamed = Readonly<Record<string, string>>;

/** What is gone keeps its place, and no arrow leads there; what is new comes behind. */
export function aligned(before: Ir, after: Ir, renamed: Renamed): Ir {
  return {
    ...after,
    nodes: inOrder(before.nodes, after.nodes, (name) => renamed[name] ?? name).map((one) =>
      after.nodes.includes(one) ? one : gone(one),
    ),
    fields: inOrder<FieldIr>(before.fields, after.fields, (name) => name),
  };
}

function inOrder<T extends { readonly name: string }>(
  before: readonly T[],
  after: readonly T[],
  nowCalled: (name: string) => string,
): readonly T[] {
  const kept = before.map((one) => after.find(({ name }) => name === nowCalled(one.name)) ?? one);
  return [...kept, ...after.filter((one) => !kept.includes(one))];
}

/** What it did stays in the log; it needs nothing of the scope any more. */
function gone({ call: _, ...node }: NodeIr): NodeIr {
  return { ...node, tools: [] };
}
