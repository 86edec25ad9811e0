/** Collects the names that a graph reads. */
import type { Ir, NodeIr } from "../../ir/ir.ts";
import { type References, referencesOf } from "../../lower/references.ts";

/** Every name that a graph reads. What it only writes is not among them. */
export function readingOf(ir: Ir): References {
  const { nodes, edges, approvals, breaks, endWhen, params, fields } = ir;
  return referencesOf({
    nodes: nodes.map(withoutTargets),
    edges,
    approvals,
    breaks,
    endWhen,
    params,
    fields,
  });
}

/**
 * Returns the parts of a node in which a field may be read: all but the names of the fields that it
 * writes.
 */
function withoutTargets(node: NodeIr): object {
  // The name of a field that is written is no reference; only `via` holds some.
  if (node.writes.every(({ via }) => via === undefined)) return node;
  const { writes, sets, ...rest } = node;
  return { ...rest, values: [...writes, ...sets].map(({ value }) => value) };
}

/** Returns the fields that the graph returns or that a node lists, in `reads` or `edits`. */
export function listedIn({ nodes, returns }: Ir): ReadonlySet<string> {
  return new Set([...returns, ...nodes.flatMap(({ reads = [], edits }) => [...reads, ...edits])]);
}

/** `state` in an expression is the whole view. */
export function seesWholeState(reading: References): boolean {
  return reading.names.has("state");
}
