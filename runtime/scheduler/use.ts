/** A person has a node use another model, other tools or another prompt: from its next attempt on. */
import type { DottedIr, NodeIr } from "../../dsl/index.ts";
import type { NodeUse, RecordBody, UseRecord } from "../records.ts";
import type { Program } from "./program.ts";
import type { NodeRun, Snapshot } from "./snapshot.ts";

/** The record of it; none before the run has begun and after its good end. */
export function useRecord(
  program: Program,
  { status }: Snapshot,
  { node, use }: Omit<UseRecord, "kind">,
): readonly RecordBody[] {
  if (status === "created" || status === "succeeded" || !program.nodeNumbers.has(node)) return [];
  return [{ kind: "use", node, use }];
}

export function used(snapshot: Snapshot, { node, use }: Omit<UseRecord, "kind">): Snapshot {
  const before = snapshot.uses?.[node];
  return { ...snapshot, uses: { ...snapshot.uses, [node]: { ...before, ...use } } };
}

/** What an attempt that starts uses: one that goes on has what it had, as its calls are in the log. */
export function usingAt({ uses }: Snapshot, run: NodeRun, node: string): NodeRun["using"] {
  if (run.using?.attempt === run.attempt) return run.using;
  const use = uses?.[node];
  return use === undefined ? { attempt: run.attempt } : { attempt: run.attempt, use };
}

/** The node as an attempt uses it. */
export function nodeInUse(node: NodeIr, use: NodeUse | undefined): NodeIr {
  if (use === undefined) return node;
  const { model, tools } = use;
  return {
    ...node,
    ...(model === undefined ? {} : { model: { kind: "literal", value: model } }),
    ...(tools === undefined ? {} : { tools: tools.map(toolNamed) }),
  };
}

/** `docs.search`, `docs.*`. */
export function toolNamed(name: string): DottedIr {
  return name.split(".");
}
