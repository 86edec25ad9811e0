/** Reports clauses that may be written once and stand twice. */
import type { Span } from "../../diagnostics/source.ts";
import { REPEATABLE } from "../../lower/clauses.ts";
import type { GraphCheck, NodeCheck } from "../context.ts";
import type { Report } from "../report.ts";

/** Reports M4003 for a clause that a node has twice, unless it may be repeated. */
export function checkRepeatedInNode({ node, own, report }: NodeCheck): void {
  reportRepeated(own, { where: `\`${node.name.text}\``, mayRepeat: REPEATABLE }, report);
}

/**
 * Reports M4003 for a repeated clause of `defaults { }`, a repeated `limit` of the graph, and a
 * repeated clause of an arrow except `set`.
 */
export function checkRepeatedInGraph({ symbols, hops, report }: GraphCheck): void {
  reportRepeated(symbols.defaults, { where: "`defaults`", mayRepeat: REPEATABLE }, report);
  for (const { hop } of hops)
    reportRepeated(hop.clauses, { where: "this arrow", mayRepeat: ["set"] }, report);
  const limits = symbols.graph.items.filter((item) => item.kind === "limit");
  const hint = "merge the two: `limit 3m, $2, 60 steps`";
  reportRepeated(limits.slice(0, 2), { where: "the graph", mayRepeat: [], hint }, report);
}

interface ClausePlace {
  readonly where: string;
  readonly mayRepeat: readonly string[];
  readonly hint?: string;
}

function reportRepeated(
  clauses: readonly { readonly kind: string; readonly span: Span }[],
  { where, mayRepeat, hint = "merge the two" }: ClausePlace,
  report: Report,
): void {
  const seen = new Map<string, Span>();
  for (const { kind, span } of clauses) {
    const before = seen.get(kind);
    seen.set(kind, span);
    if (before === undefined || mayRepeat.includes(kind)) continue;
    report({
      code: "M4003",
      message: `${where} already has a \`${kind}\``,
      span,
      hint,
      related: [{ span: before, message: "the first one" }],
    });
  }
}
