/** Writes JSON values as literals of the language. */
import { type ExprIr, printExpression } from "../dsl/index.ts";

/** The text of a literal with this value. */
export function literalText(value: unknown): string {
  return printExpression(literalOf(value));
}

/** A literal with this value; a member that is undefined is left out, and undefined is null. */
export function literalOf(value: unknown): ExprIr {
  if (Array.isArray(value)) return { kind: "list", items: value.map(literalOf) };
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    return {
      kind: "object",
      entries: entries.map(([key, member]) => ({ key, value: literalOf(member) })),
    };
  }
  return { kind: "literal", value: (value ?? null) as string | number | boolean | null };
}
