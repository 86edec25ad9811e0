/** Writes a type of the language as a type of TypeScript. */
import { BUILT_IN_TYPES, type TypeIr } from "../../../../dsl/index.ts";

/**
 * The TypeScript text of the types that a file declares or imports, by name; they go before
 * built-in ones.
 */
export type DeclaredTypes = ReadonlyMap<string, string>;

/** A type of a graph as TypeScript. */
export function typeText(type: TypeIr, declared: DeclaredTypes): string {
  const text = (inner: TypeIr) => typeText(inner, declared);
  const nested = (inner: TypeIr) => (inner.kind === "union" ? `(${text(inner)})` : text(inner));
  switch (type.kind) {
    case "named":
      return namedText(type, declared);
    case "literal":
      return JSON.stringify(type.value);
    case "object":
      return objectText(type.members, declared);
    case "array":
      return `${nested(type.of)}[]`;
    case "tuple":
      return `[${type.types.map(text).join(", ")}]`;
    case "union":
      return type.types.map(nested).join(" | ");
  }
}

export interface TypeMember {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeIr;
  readonly readonly?: boolean;
}

/** The type of an object with these members. */
export function objectText(members: readonly TypeMember[], declared: DeclaredTypes): string {
  if (members.length === 0) return "{}";
  const written = members.map((member) => {
    const word = member.readonly === true ? "readonly " : "";
    const mark = member.optional ? "?" : "";
    return `${word}${propertyName(member.name)}${mark}: ${typeText(member.type, declared)}`;
  });
  return `{ ${written.join("; ")} }`;
}

function propertyName(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name);
}

/** The types of the language that TypeScript does not have. Where values may have more members, those are `any`. */
const SPELLED: Readonly<Record<string, string>> = {
  int: "number",
  Json: "any",
  Artifact: "{ readonly kind: string; readonly path: string; readonly [member: string]: any }",
  Image: "any",
};

function namedText(type: TypeIr & { readonly kind: "named" }, declared: DeclaredTypes): string {
  const { name, args } = type;
  const given =
    args.length === 0 ? "" : `<${args.map((argument) => typeText(argument, declared)).join(", ")}>`;
  const known = declaredText(name, declared);
  if (known !== undefined) return known === "any" ? known : `${known}${given}`;
  const [first] = args;
  if (name === "Private" && first !== undefined) return typeText(first, declared);
  const builtIn = BUILT_IN_TYPES.get(name);
  if (builtIn !== undefined) return typeText(builtIn, declared);
  if (args.length === 0) return SPELLED[name] ?? name;
  return `${name}${given}`;
}

/** Also of a type in a namespace that is declared: `Words.Word`. */
function declaredText(name: string, declared: DeclaredTypes): string | undefined {
  const [head = "", ...members] = name.split(".");
  const known = declared.get(head);
  return known === undefined || known === "any" ? known : [known, ...members].join(".");
}
