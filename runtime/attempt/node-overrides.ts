/** Reads what a person has a node use instead of its program's model, tools or prompt, and checks that it exists. */

import { calledGraph, type Ir, isGraphTool, type NodeIr, nearest } from "../../dsl/index.ts";
import { declaredNames } from "../agents/mcp/mcp-servers.ts";
import type { ModelChoice } from "../agents/models/model-handle.ts";
import type { Scope } from "../agents/scope/scope.ts";
import { resolveTools } from "../agents/scope/tools.ts";
import { RunError } from "../failure.ts";
import type { NodeUse } from "../records/control-records.ts";
import type { Run, UseOptions } from "../run/handle.ts";
import { shortRunId } from "../run-names.ts";
import { toolNamed } from "../scheduler/interventions.ts";

/** Throws M8201 for a tool that is not there, and what is wrong with a model. */
export function readUse(
  change: UseOptions,
  {
    scope,
    take,
    ir,
  }: {
    readonly scope: Scope;
    readonly take: (choice: ModelChoice) => string;
    readonly ir: Ir;
  },
): NodeUse {
  const { model } = change;
  const tools = change.tools?.map(toolNamed) ?? [];
  const declared = new Set(declaredNames(tools, ir));
  resolveTools(
    tools.filter((name) => !declared.has(name) && !isGraphTool(ir, name)),
    scope,
  );
  return {
    ...plainUse(change),
    ...(model === undefined ? {} : { model: take(model) }),
  };
}

/** Makes an override without resolving names, where no scope is known. */
export function plainUse({ model, tools, prompt }: UseOptions): NodeUse {
  return {
    ...(typeof model === "string" ? { model } : {}),
    ...(tools === undefined ? {} : { tools: [...tools] }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}

/** Throws M5361 where the run has no such node (`go/search` in the graph that `go` calls), or needs none any more. */
export function assertUsable(
  { ir, status, id: runId }: Pick<Run, "status" | "id"> & { readonly ir: Ir },
  node: string,
): void {
  let graph: Ir | undefined = ir;
  for (const name of node.split("/")) {
    // What a plan will have for steps, nobody knows before.
    if (graph === undefined) break;
    const found: NodeIr | undefined = graph.nodes.find((one) => one.name === name);
    if (found === undefined) throw noNode(graph, name, runId);
    graph = calledGraph(graph, found.call?.callee.join(".") ?? "");
  }
  if (status !== "succeeded") return;
  throw new RunError(
    "M5361",
    `run \`${shortRunId(runId)}\` has succeeded: no node of it runs any more`,
    {
      hint: "start a new run",
      runId,
    },
  );
}

function noNode({ name: graph, nodes }: Ir, node: string, runId: string): RunError {
  const names = nodes.map(({ name }) => name);
  const meant = nearest(node, names);
  const isCall = /#\d+$|›/.test(node);
  return new RunError("M5361", `\`${graph}\` has no node \`${node}\``, {
    hint: isCall
      ? "it is said of all calls of a graph at once: write names with `/`, as in `go/search`"
      : meant === undefined
        ? `its nodes are ${names.join(", ")}`
        : `did you mean \`${meant}\`?`,
    runId,
  });
}
