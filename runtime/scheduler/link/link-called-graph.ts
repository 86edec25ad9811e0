/** Finds and links the graph that a node of kind `graph` calls, on first use. */
import {
  calledGraph,
  type FinishedSteps,
  type Ir,
  isGraph,
  type NodeIr,
  PLAN_GRAPH,
  type PlanProblem,
  planArguments,
  planGraph,
} from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { Called, Program } from "../program/program.ts";

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
  if (graph === undefined && name === PLAN_GRAPH) return plannedBy(ir, node, linking);
  return {
    args: node.call.args,
    params: graph?.params.map((param) => param.name) ?? [],
    program: () => (graph === undefined ? unknownGraph(node, name) : linked(graph, linking)),
  };
}

/** The graph is made when the plan is there; what its agents read of the calling graph is given to it. */
function plannedBy(ir: Ir, node: NodeIr, linking: Linking): Called {
  const read = planArguments(ir);
  return {
    args: [...(node.call?.args ?? []), ...read],
    params: ["plan", ...read.map(({ label }) => label)],
    isPlan: true,
    program: ({ plan, done, rounds }) => {
      const made = planGraph(ir, plan, {
        done: done as FinishedSteps,
        rounds: rounds as FinishedSteps,
      });
      return isGraph(made) ? linked(made, linking) : planFailure(`\`${node.name}\``, made);
    },
  };
}

/** Makes the failure that tells the author of a plan its problems. */
export function planFailure(whose: string, problems: readonly PlanProblem[]): Failure {
  const [first, ...more] = problems;
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return {
    class: "invalid",
    code: first?.code ?? "M5032",
    message: `the plan of ${whose} can't run: ${first?.message ?? "it is none"}${others}`,
    feedback: problems.map(({ message, hint }) => `${message}; ${hint}`).join("\n"),
    ...(first === undefined ? {} : { hint: first.hint }),
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
