/** Gives a node another model, other tools or another prompt from its next attempt on. */
import type { DottedIr, NodeIr } from "../../../dsl/index.ts";
import type { NodeUse, UseRecord } from "../../records/control-records.ts";
import type { RecordBody } from "../../records/records.ts";
import type { Program } from "../program/program.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";

/** The record of it; none before the run has begun and after its good end. */
export function useRecord(
  program: Program,
  { status }: Snapshot,
  { node, use }: Omit<UseRecord, "kind">,
): readonly RecordBody[] {
  const [first = ""] = node.split("/");
  if (status === "created" || status === "succeeded" || !program.nodeNumbers.has(first)) return [];
  return [{ kind: "use", node, use }];
}

/** `go/search` is a node of the graph that `go` calls: in the calls that are under way, and in those to come. */
export function foldUse(
  program: Program,
  snapshot: Snapshot,
  { node, use }: Omit<UseRecord, "kind">,
): Snapshot {
  const before = snapshot.uses?.[node];
  const changed = { ...snapshot, uses: { ...snapshot.uses, [node]: { ...before, ...use } } };
  const [caller, ...inner] = node.split("/");
  let { children } = changed;
  for (const [id, child] of children.entries()) {
    const run = changed.open.get(id);
    if (inner.length === 0 || program.nodes[run?.node ?? -1]?.ir.name !== caller) continue;
    const within = { node: inner.join("/"), use };
    children = children.set(id, {
      ...child,
      snapshot: foldUse(child.program, child.snapshot, within),
    });
  }
  return { ...changed, children };
}

/** Returns the overrides with which a called graph begins: those of its nodes. */
export function usesWithin({ uses }: Snapshot, caller: string): Pick<Snapshot, "uses"> {
  const prefix = `${caller}/`;
  const own = Object.entries(uses ?? {}).filter(([node]) => node.startsWith(prefix));
  if (own.length === 0) return {};
  return { uses: Object.fromEntries(own.map(([node, use]) => [node.slice(prefix.length), use])) };
}

/** Returns the overrides of an attempt that starts. One that resumes keeps those it had, because its calls are in the log. */
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
