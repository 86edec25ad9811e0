/** Lists the values of a type that has finitely many. */
import type { TypeIr } from "../../ir/ir.ts";
import { resolveType, type TypeTable } from "../../ir/types.ts";

type LiteralValue = string | number | boolean | null;

/** Every value that a type allows, where they can be listed: a choice of literals, or yes and no. */
export function literalTypes(
  type: TypeIr,
  types: TypeTable,
  depth = 0,
): readonly LiteralValue[] | undefined {
  // A union may name itself, and then its values can't be listed.
  const shape = depth > 5 ? undefined : resolveType(type, types);
  switch (shape?.kind) {
    case "literal":
      return [shape.value];
    case "named":
      return shape.name === "boolean" ? [true, false] : undefined;
    case "union": {
      const parts = shape.types.map((part) => literalTypes(part, types, depth + 1));
      const known = parts.filter((part) => part !== undefined);
      return known.length < parts.length ? undefined : [...new Set(known.flat())];
    }
    default:
      return undefined;
  }
}
