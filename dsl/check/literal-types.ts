import type { TypeIr } from "../ir.ts";
import { resolveType, type TypeTable } from "../types.ts";

type Value = string | number | boolean | null;

/** Every value that a type allows, where they can be listed: a choice of literals, or yes and no. */
export function literalTypes(type: TypeIr, types: TypeTable): readonly Value[] | undefined {
  const shape = resolveType(type, types);
  switch (shape?.kind) {
    case "literal":
      return [shape.value];
    case "named":
      return shape.name === "boolean" ? [true, false] : undefined;
    case "union": {
      const parts = shape.types.map((part) => literalTypes(part, types));
      const known = parts.filter((part) => part !== undefined);
      return known.length < parts.length ? undefined : [...new Set(known.flat())];
    }
    default:
      return undefined;
  }
}
