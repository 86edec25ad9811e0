import type { Program } from "../program/program.ts";

/** The other nodes of a node, as it may know them: those with a description, with the tools that they have. */
export function teamOf({ nodes }: Program, node: number | undefined): readonly unknown[] {
  return nodes.flatMap(({ index, ir: { name, description, tools } }) =>
    description === undefined || index === node
      ? []
      : [{ name, description, tools: tools.map((tool) => tool.join(".")) }],
  );
}
