/** Reports `cache` clauses of nodes whose output can't be kept. */
import { ownClauses, withDefaults } from "../../lower/clauses.ts";
import { whyNotByDefault, whyNotKept } from "../../lower/kept-output.ts";
import { declaredNodes } from "../../names/symbols.ts";
import type { GraphCheck, NodeCheck } from "../context.ts";

/** Only what comes to the same again may be kept: not what works outside, goes round, or has a session or a run of its own. */
export function checkCacheable({ node, own, clauses, report }: NodeCheck): void {
  const cache = own.find(({ kind }) => kind === "cache");
  const why = cache && whyNotKept(node.word, clauses);
  if (cache === undefined || why === undefined) return;
  report({
    code: "M4912",
    message: `\`cache\` has no effect in \`${node.name.text}\`: ${why}`,
    span: cache.span,
    hint: "remove `cache`, or write it in a node that only computes a value",
  });
}

/** Tells for which nodes the `cache` of `defaults { }` does not stand. */
export function checkCachedByDefault({ symbols, report }: GraphCheck): void {
  const cache = symbols.defaults.find(({ kind }) => kind === "cache");
  if (cache === undefined) return;
  const lacking = declaredNodes(symbols.graph).filter((node) =>
    ownClauses(node).every(({ kind }) => kind !== "cache"),
  );
  const left = lacking.flatMap((node) => {
    const why = whyNotByDefault(node.word, withDefaults(node, symbols));
    return why === undefined ? [] : [`\`${node.name.text}\` (${why})`];
  });
  // If it applies to no node, it is reported as unused.
  if (left.length === 0 || left.length === lacking.length) return;
  report({
    code: "M4913",
    severity: "info",
    message: `\`cache\` in \`defaults\` does not apply to ${left.join(", ")}`,
    span: cache.span,
    hint: "the results of the other nodes are cached; to cache a person's answers, write `cache` in that node",
  });
}
