import type { Code } from "../codes.ts";
import type { Finding } from "../diagnostic.ts";
import type { Source, Span } from "../source.ts";
import type { GraphDecl } from "../syntax/ast.ts";

/** Findings of the kind "nothing is called so", which a declaration that could not be read brings about. */
const UNKNOWN: readonly Code[] = [
  "M2101",
  "M2102",
  "M2103",
  "M2104",
  "M2105",
  "M2106",
  "M2108",
  "M2109",
  "M2112",
  "M3101",
];

/** Findings of the kind "this node lacks a clause", which a clause that could not be read brings about. */
const LACKING: readonly Code[] = ["M4001", "M4002"];

/** A text of which the parser had to skip something. */
export interface BrokenText {
  readonly syntax: readonly Finding[];
  readonly source: Source;
}

/**
 * One fault, one error: where the parser had to skip something, a name that the text seems to declare somewhere
 * (`agent x`, `x: Type`, `model x = …`) is not reported as unknown, a node whose body could not be read as lacking
 * something, and the half of a condition that could be read (`n` in `n = 3`) not as a wrong one.
 */
export function withoutConsequences(
  findings: readonly Finding[],
  broken: BrokenText,
  graph?: GraphDecl,
): readonly Finding[] {
  if (broken.syntax.length === 0) return findings;
  const { text } = broken.source;
  return findings.filter(({ code, span }) => {
    if (LACKING.includes(code)) return !isHalfRead(span, broken.syntax, graph);
    if (code === "M3218") return !isCutOff(span, broken);
    return !UNKNOWN.includes(code) || !seemsDeclared(text.slice(span.start, span.end), text);
  });
}

/** Whether something could not be read in the node of this name, or in what all nodes have in common. */
function isHalfRead(name: Span, syntax: readonly Finding[], graph: GraphDecl | undefined): boolean {
  const bodies = (graph?.items ?? []).filter(
    (item) =>
      item.kind === "defaults" || (item.kind === "node" && item.name.span.start === name.start),
  );
  return syntax.some(({ span }) =>
    bodies.some((body) => span.start >= body.span.start && span.start <= body.span.end),
  );
}

/** Whether what follows could not be read. */
function isCutOff({ end }: Span, { syntax, source }: BrokenText): boolean {
  return syntax.some(
    ({ span }) => span.start >= end && /^[\s)]*$/.test(source.text.slice(end, span.start)),
  );
}

function seemsDeclared(name: string, text: string): boolean {
  if (!/^\w+$/.test(name)) return false;
  const words = "agent|operator|human|router|run|tool|reduce|graph|model|mcp|type|memory|import";
  return new RegExp(`\\b(?:${words})\\b[^\\n]*\\b${name}\\b|\\b${name}\\s*\\??\\s*:`).test(text);
}
