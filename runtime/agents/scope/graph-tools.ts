/** Makes tools of the graphs that an agent lists among its tools: each call runs one as a part of the run. */

import { graphsAmong, type Ir, type NodeIr, parametersSchema } from "../../../dsl/index.ts";
import { TIMER_MAX_MS } from "../../clock.ts";
import { FailureError } from "../../failure.ts";
import type { Scope } from "./scope.ts";
import { type GraphToolContext, type GraphToolOptions, type ToolEffect, tool } from "./tools.ts";

/** The graphs among the tools of a node, by their names there; undefined where it has none. */
export function graphTools(ir: Ir, { tools }: NodeIr): Scope | undefined {
  const graphs = graphsAmong(ir, tools);
  if (graphs.length === 0) return undefined;
  return Object.fromEntries(graphs.map(({ as, ir: graph }) => [as, graphTool(as, graph)]));
}

function graphTool(name: string, graph: Ir) {
  const call = async (
    input: Readonly<Record<string, unknown>>,
    { callGraph }: GraphToolContext,
  ) => {
    if (callGraph === undefined) throw new Error(`M9000: \`${name}\` is called outside of a run`);
    const end = await callGraph(name, input);
    if ("output" in end) return end.output;
    // The model is told, and may do something else.
    const { message, stack } = end.failure;
    const failure = { class: "tool", code: "M8202", message } as const;
    throw new FailureError(stack === undefined ? failure : { ...failure, stack });
  };
  return tool(call, {
    effect: effectOfGraph(graph),
    // Its own calls are decided on one by one.
    baseline: "never",
    description: graph.description ?? `runs the graph ${graph.name}`,
    input: { ...parametersSchema(graph), type: "object" },
    // Longer than any run: a graph has limits of its own, and those of whoever calls it.
    timeoutMs: TIMER_MAX_MS,
    isGraph: true,
  } satisfies GraphToolOptions);
}

/** The most that a node of the graph may touch, or of a graph that it calls. */
function effectOfGraph({ nodes, graphs = [] }: Ir): ToolEffect {
  const all = [...nodes, ...graphs.flatMap((graph) => graph.nodes)].map(effectOfNode);
  return EFFECTS.findLast((effect) => all.includes(effect)) ?? "none";
}

const EFFECTS: readonly ToolEffect[] = ["none", "workspace", "external"];

function effectOfNode({ kind, effects, tools }: NodeIr): ToolEffect {
  if (effects !== undefined) return effects;
  const actsByTools = kind === "agent" || kind === "router";
  return kind === "human" || kind === "graph" || (actsByTools && tools.length === 0)
    ? "none"
    : "external";
}
