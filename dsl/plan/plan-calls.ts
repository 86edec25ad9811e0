/** Gives the graph of a plan the graphs that its agents have as tools. */
import { isGraphTool, withGraphs } from "../ir/called-graphs.ts";
import { hashIr } from "../ir/hash.ts";
import type { Ir } from "../ir/ir.ts";

/** Returns the graph of a plan with those of `caller`'s graphs that stand among the tools of its nodes. */
export function withGraphTools(graph: Ir, caller: Ir): Ir {
  const tools = graph.nodes.flatMap((node) => node.tools);
  const calls = (caller.calls ?? []).filter((call) =>
    tools.some((tool) => tool[0] === call.name && isGraphTool(caller, tool)),
  );
  if (calls.length === 0) return graph;
  const { hash: _, ...rest } = graph;
  const calling = { ...rest, calls };
  const { graphs = [], ...self } = caller;
  // A graph of the caller's own file has no source of its own.
  const source = caller.source === undefined ? {} : { source: caller.source };
  const all = [self, ...graphs.map((one) => ({ ...source, ...one }))];
  return withGraphs({ ...calling, hash: hashIr(calling) }, all);
}
