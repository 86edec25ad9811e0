/** Derives the types of what is made of several values: sums, alternatives, lists and objects of parts. */
import type { TypeIr } from "../../ir/ir.ts";
import { NUMBER, resolveType, STRING } from "../../ir/types.ts";
import type { Scope } from "../../names/scope.ts";

export function sumOf(
  left: TypeIr | undefined,
  right: TypeIr | undefined,
  scope: Scope,
): TypeIr | undefined {
  const kinds = [left, right].map((type) => primitiveOf(type, scope));
  if (kinds.includes("string")) return STRING;
  return kinds.every((kind) => kind === "number") ? NUMBER : undefined;
}

function primitiveOf(type: TypeIr | undefined, scope: Scope): string | undefined {
  const shape = type && resolveType(type, scope.symbols.file.types);
  if (shape?.kind === "literal") return typeof shape.value;
  if (shape?.kind !== "named") return undefined;
  return shape.name === "int" ? "number" : shape.name;
}

export function either(left: TypeIr | undefined, right: TypeIr | undefined): TypeIr | undefined {
  if (left === undefined || right === undefined) return undefined;
  return JSON.stringify(left) === JSON.stringify(right)
    ? left
    : { kind: "union", types: [left, right] };
}

/** The members of all parts, of which a later one wins; undefined where one of them is not known to be an object. */
export function mergedType(
  parts: readonly (TypeIr | undefined)[],
  scope: Scope,
): TypeIr | undefined {
  const shapes = parts.map((part) => part && resolveType(part, scope.symbols.file.types));
  const objects = shapes.filter((shape) => shape?.kind === "object");
  if (objects.length < parts.length) return undefined;
  const members = new Map<string, (typeof objects)[number]["members"][number]>();
  for (const { members: own } of objects)
    for (const member of own) {
      const before = members.get(member.name);
      // One that may be missing leaves what stands before it.
      const type =
        member.optional && before !== undefined ? either(before.type, member.type) : member.type;
      if (type === undefined) return undefined;
      const optional = member.optional && (before?.optional ?? true);
      members.set(member.name, { name: member.name, optional, type });
    }
  return { kind: "object", members: [...members.values()] };
}

export function listOf(items: readonly (TypeIr | undefined)[]): TypeIr | undefined {
  const known = items.filter((item) => item !== undefined);
  const [first] = known;
  if (first === undefined || known.length < items.length) return undefined;
  const different = new Map(known.map((item) => [JSON.stringify(item), item]));
  const of: TypeIr =
    different.size === 1 ? first : { kind: "union", types: [...different.values()] };
  return { kind: "array", of };
}
