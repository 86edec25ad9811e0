/** Explains a graph in one note: its call, its description and its nodes. */
import type { Ir, Source } from "../../../../dsl/index.ts";

/** A graph in a few lines: how it is called, what it is for, and its nodes. */
export function graphNote(graph: Ir, { file, text }: Source): string {
  const [start, end] = graph.span ?? [0, 0];
  const [head = `graph ${graph.name}`] = text.slice(start, end).split("\n");
  const nodes = graph.nodes.map(({ kind, name, description }) =>
    `  ${kind} ${name} ${description === undefined ? "" : JSON.stringify(description)}`.trimEnd(),
  );
  const shown = nodes.slice(0, NODES_MAX);
  const more = nodes.length - shown.length;
  return [
    `// ${file}`,
    head.replace(/\s*\{\s*$/, ""),
    ...shown,
    ...(more > 0 ? [`  … ${more} more`] : []),
  ].join("\n");
}

const NODES_MAX = 12;
