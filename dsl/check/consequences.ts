import type { Code } from "../codes.ts";
import type { Finding } from "../diagnostic.ts";
import type { Source } from "../source.ts";

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

/**
 * One fault, one error: where the parser had to skip something, a name that the text seems to declare somewhere
 * (`agent x`, `x: Type`, `model x = …`) is not reported as unknown.
 */
export function withoutConsequences(
  findings: readonly Finding[],
  { syntax, source }: { readonly syntax: readonly Finding[]; readonly source: Source },
): readonly Finding[] {
  if (syntax.length === 0) return findings;
  return findings.filter((finding) => {
    if (!UNKNOWN.includes(finding.code)) return true;
    return !seemsDeclared(source.text.slice(finding.span.start, finding.span.end), source.text);
  });
}

function seemsDeclared(name: string, text: string): boolean {
  if (!/^\w+$/.test(name)) return false;
  const words = "agent|operator|human|router|run|tool|reduce|graph|model|mcp|type|memory|import";
  return new RegExp(`\\b(?:${words})\\b[^\\n]*\\b${name}\\b|\\b${name}\\s*\\??\\s*:`).test(text);
}
