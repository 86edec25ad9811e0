import type { NodeCheck } from "./context.ts";

/** Only what comes to the same again may be kept: not what works outside, goes round, or has a session or a run of its own. */
export function checkCacheable({ node, own, report }: NodeCheck): void {
  const cache = own.find(({ kind }) => kind === "cache");
  if (cache === undefined) return;
  const isExternal = own.some((clause) => clause.kind === "effects" && clause.level === "external");
  const why = isExternal
    ? "it may change the world outside, and would not do so again"
    : own.some(({ kind }) => kind === "every")
      ? "each of its rounds is to look anew"
      : node.word === "operator"
        ? "a strong agent works outside"
        : node.word === "graph"
          ? "the nodes of the graph have their own `cache`"
          : undefined;
  if (why === undefined) return;
  report({
    code: "M4912",
    message: `what \`${node.name.text}\` comes to is not kept: ${why}`,
    span: cache.span,
    hint: "take `cache` out, or write it in the node that only works something out",
  });
}
