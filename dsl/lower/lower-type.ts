/** Lowers types and dotted names. */
import type { TypeIr } from "../ir/ir.ts";
import type { DottedAst, TypeAst } from "../syntax/tree/ast.ts";

/** A written type without its spans. */
export function lowerType(type: TypeAst): TypeIr {
  switch (type.kind) {
    case "named":
      return { kind: "named", name: dottedText(type.name), args: type.args.map(lowerType) };
    case "literal-type":
      return { kind: "literal", value: type.value };
    case "object-type":
      return {
        kind: "object",
        members: type.members.map(({ name, optional, type: of }) => ({
          name: name.text,
          optional,
          type: lowerType(of),
        })),
      };
    case "array-type":
      return { kind: "array", of: lowerType(type.of) };
    case "tuple-type":
      return { kind: "tuple", types: type.types.map(lowerType) };
    case "union-type":
      return { kind: "union", types: type.types.map(lowerType) };
  }
}

/** `browser.click` as its segments; a trailing `*` is the last one. */
export function lowerDotted(dotted: DottedAst): readonly string[] {
  const parts = dotted.parts.map((part) => part.text);
  return dotted.star ? [...parts, "*"] : parts;
}

/** A dotted name as people write it. */
export function dottedText(dotted: DottedAst): string {
  return lowerDotted(dotted).join(".");
}
