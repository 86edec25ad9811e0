/** Checks that an `each` goes over a list, and derives the type of its items. */
import type { TypeIr } from "../../ir/ir.ts";
import { printType, resolveType, type TypeTable } from "../../ir/types.ts";
import type { GraphCheck } from "../context.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import { elementOf } from "../expressions/member-type.ts";

/** Reports an `each` over what is surely no list; a stream's type is not known. */
export function checkItems({ hops, report }: GraphCheck): void {
  for (const { hop, scope } of hops) {
    if (hop.kind !== "each") continue;
    const type = checkExpression(hop.items, scope, () => undefined);
    if (type === undefined || !isNoList(type, scope.symbols.file.types)) continue;
    report({
      code: "M3105",
      message: `\`each\` needs a list, but this is \`${printType(type)}\``,
      span: hop.items.span,
      hint: "name a field or an expression that is a list",
    });
  }
}

/** The type of one item, where it is known. */
export function itemType(type: TypeIr | undefined, types: TypeTable): TypeIr | undefined {
  const shape = type && resolveType(type, types);
  return shape?.kind === "array" || shape?.kind === "tuple" ? elementOf(shape) : undefined;
}

const NO_LISTS = ["string", "number", "int", "boolean", "Record"];

function isNoList(type: TypeIr, types: TypeTable): boolean {
  const shape = resolveType(type, types);
  if (shape === undefined) return false;
  if (shape.kind === "named") return NO_LISTS.includes(shape.name);
  return shape.kind === "literal" || shape.kind === "object";
}
