/** Collects the expressions in a piece of IR. */
import type { ExprIr } from "../../../../dsl/index.ts";

const KINDS: ReadonlySet<unknown> = new Set([
  ...(["literal", "duration", "money", "name", "member", "index", "call", "unary"] as const),
  ...([
    "binary",
    "conditional",
    "lambda",
    "list",
    "spread",
    "range",
    "merge",
    "object",
    "template",
  ] as const),
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
  const found: ExprIr[] = [];
  collect(part, found);
  return found;
}

function collect(part: unknown, found: ExprIr[]): void {
  if (Array.isArray(part)) {
    for (const item of part) if (typeof item === "object") collect(item, found);
    return;
  }
  if (typeof part !== "object" || part === null) return;
  if (isExpression(part)) found.push(part);
  const members = part as Readonly<Record<string, unknown>>;
  for (const key in members) {
    const member = members[key];
    if (typeof member === "object" && !OTHERS.has(key)) collect(member, found);
  }
}

function isExpression(part: object): part is ExprIr {
  return "kind" in part && KINDS.has(part.kind) && ("span" in part || !SHARED.has(part.kind));
}
