/** Collects the expressions in a piece of IR. */
import type { ExprIr } from "../../../../dsl/index.ts";

const KINDS: ReadonlySet<unknown> = new Set([
  ...(["literal", "duration", "money", "name", "member", "index", "call", "unary"] as const),
  ...(["binary", "conditional", "lambda", "list", "object", "template"] as const),
] satisfies ExprIr["kind"][]);

/** Kinds that types have too: such an expression is known by its place in the text. */
const SHARED: ReadonlySet<unknown> = new Set(["literal", "object"]);

/**
 * The parts of a graph without expressions of its own: types, schemas, the text, the graphs that it
 * calls.
 */
const OTHERS: ReadonlySet<string> = new Set(["output", "type", "types", "source", "graphs"]);

/** Every expression in a part of the IR, those inside others too. */
export function expressionsIn(part: unknown): readonly ExprIr[] {
  if (Array.isArray(part)) return part.flatMap(expressionsIn);
  if (typeof part !== "object" || part === null) return [];
  const inner = Object.entries(part).flatMap(([key, value]) =>
    OTHERS.has(key) ? [] : expressionsIn(value),
  );
  return isExpression(part) ? [part, ...inner] : inner;
}

function isExpression(part: object): part is ExprIr {
  return "kind" in part && KINDS.has(part.kind) && ("span" in part || !SHARED.has(part.kind));
}
