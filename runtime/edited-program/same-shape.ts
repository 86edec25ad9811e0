/** Compares the shape of two programs: whether a run of one can continue with the other. */
import {
  type CalledIr,
  canonicalJson,
  type Ir,
  type NodeIr,
  withoutSpans,
} from "../../dsl/index.ts";

/**
 * The same nodes, fields and arrows in the same order, which is what a log is written in. What a node is told (prompts,
 * models, tools) and what holds it (limits, retries, post-conditions) may differ.
 */
export function isSameShape(before: Ir, after: Ir): boolean {
  return canonicalJson(shapeOf(before)) === canonicalJson(shapeOf(after));
}

function shapeOf({ graphs = [], ...ir }: Ir): unknown {
  const called = graphs.map(ownShape).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return withoutSpans([ownShape(ir), ...called]);
}

function ownShape({ name, params, returns, fields, nodes, edges, types }: CalledIr) {
  return { name, params, returns, fields, types, edges, nodes: nodes.map(nodeShape) };
}

/** Returns the part of a node on which a log depends. */
export function nodeShape({
  name,
  kind,
  params,
  each,
  writes,
  sets,
  call,
  output,
}: NodeIr): unknown {
  return { name, kind, params, each, writes, sets, call, output };
}
