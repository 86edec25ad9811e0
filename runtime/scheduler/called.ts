/** Which graph a node of kind `graph` calls, linked on its first use. */
import { calledGraph, type Ir, type NodeIr } from "../../dsl/index.ts";
import type { Failure } from "../failure.ts";
import type { Called, Program } from "./program.ts";

/** Links graphs once each: a graph that calls itself comes back to its own program. */
export interface Linking {
  readonly link: (ir: Ir, linking: Linking) => Program;
  /** By hash. */
  readonly programs: Map<string, Program>;
}

export function calledBy(ir: Ir, node: NodeIr, linking: Linking): Called | undefined {
  if (node.kind !== "graph" || node.call === undefined) return undefined;
  const name = node.call.callee.join(".");
  const graph = calledGraph(ir, name);
  return {
    args: node.call.args,
    params: graph?.params.map((param) => param.name) ?? [],
    program: () => (graph === undefined ? unknownGraph(node, name) : linked(graph, linking)),
  };
}

function linked(ir: Ir, linking: Linking): Program {
  const { programs, link } = linking;
  const program = programs.get(ir.hash) ?? link(ir, linking);
  programs.set(ir.hash, program);
  return program;
}

function unknownGraph({ name }: NodeIr, graph: string): Failure {
  return {
    class: "invalid",
    code: "M5031",
    message: `\`${name}\` calls \`${graph}\`, and there is no graph of this name in the program`,
    hint: "declare it in the file, import it, or run its cell before this one",
  };
}
