/** Steps from a node of a graph into the functions of the notebook that it calls. */
import { calledGraph, type Ir } from "../../dsl/index.ts";
import { beforeFunctions } from "../cells/debugger-hooks.ts";

/** Makes a step, in which these functions stop when they are called. */
export async function steppingInto(
  functions: readonly unknown[],
  step: () => Promise<unknown>,
): Promise<void> {
  beforeFunctions(functions);
  try {
    await step();
  } finally {
    beforeFunctions([]);
  }
}

/** The functions of the notebook that a graph, or one that it calls, may call. */
export function functionsIn(ir: Ir, names: Readonly<Record<string, unknown>>): readonly unknown[] {
  const words = new Set([...textsOf(ir)].flatMap((text) => text.match(/[\p{L}\p{N}_$]+/gu) ?? []));
  return Object.entries(names)
    .filter(([name, value]) => words.has(name) && typeof value === "function")
    .map(([, value]) => value);
}

function textsOf(ir: Ir, known = new Set<string>()): ReadonlySet<string> {
  const text = ir.source?.text ?? "";
  const before = known.size;
  // Two graphs of one cell both have the text of the whole cell.
  if (known.add(`${ir.name}\n${text}`).size === before) return known;
  for (const { call } of ir.nodes) {
    const graph = call && calledGraph(ir, call.callee.join("."));
    if (graph !== undefined) textsOf(graph, known);
  }
  return known;
}
