/** Refuses graphs with what a run on Restate does not have yet. */
import type { Ir } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";

/** Throws M5809, which names the first of it, before a worker offers the graph. */
export function assertServable({ name, graphs = [], ...ir }: Ir): void {
  for (const graph of [{ ...ir, name }, ...graphs]) {
    const found = lackOf(graph);
    if (found !== undefined)
      throw new RunError("M5809", `\`${name}\` can't run on Restate: ${found}`, {
        hint: "run it with `madrigal run`, or leave the graph out with `--graph NAME`",
      });
  }
}

function lackOf({
  nodes,
  fields,
  memories,
}: Pick<Ir, "nodes" | "fields" | "memories">): string | undefined {
  const operator = nodes.find(({ kind }) => kind === "operator");
  if (operator !== undefined)
    return `\`${operator.name}\` is a strong agent, whose session lives on one machine`;
  const lasting = fields.find(({ scope }) => scope === "thread" || scope === "user");
  if (lasting !== undefined)
    return `\`${lasting.name}\` is a field of a ${lasting.scope}, which the workspace keeps`;
  const [memory] = memories;
  return memory && `it has the memory \`${memory.name}\`, which the workspace keeps`;
}
