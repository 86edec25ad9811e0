/** Reads which TypeScript function the `context` of a node names. */
import type { DottedIr, ExprIr, NodeIr } from "../../../dsl/index.ts";

/** The function of TypeScript that the `context` of a node names; nothing where it says numbers. */
export function contextFunction({ context }: Pick<NodeIr, "context">): DottedIr | undefined {
  return context === undefined ? undefined : dotted(context);
}

function dotted(expression: ExprIr): DottedIr | undefined {
  if (expression.kind === "name") return expression.of === "scope" ? [expression.name] : undefined;
  if (expression.kind !== "member") return undefined;
  const before = dotted(expression.object);
  return before && [...before, expression.name];
}
