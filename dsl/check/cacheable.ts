import type { NodeCheck } from "./context.ts";

/** Only what comes to the same again may be kept: not what works outside, goes round, or has a session or a run of its own. */
export function checkCacheable({ node, own, report }: NodeCheck): void {
  const cache = own.find(({ kind }) => kind === "cache");
  const why = cache && whyNot(node.word, own);
  if (cache === undefined || why === undefined) return;
  report({
    code: "M4912",
    message: `what \`${node.name.text}\` comes to is not kept: ${why}`,
    span: cache.span,
    hint: "take `cache` out, or write it in the node that only works something out",
  });
}

function whyNot(word: NodeCheck["node"]["word"], own: NodeCheck["own"]): string | undefined {
  const isExternal = own.some((clause) => clause.kind === "effects" && clause.level === "external");
  if (isExternal) return "it may change the world outside, and would not do so again";
  if (own.some(({ kind }) => kind === "every")) return "each of its rounds is to look anew";
  if (word === "operator") return "a strong agent works outside";
  return word === "graph" ? "the nodes of the graph have their own `cache`" : undefined;
}
