import type { TypeIr } from "../../../dsl/index.ts";

/** The names of the types that a file declares: they go before built-in ones. */
export type DeclaredTypes = ReadonlySet<string>;

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

export interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeIr;
  readonly readonly?: boolean;
}

/** The type of an object with these members. */
export function objectText(members: readonly Member[], declared: DeclaredTypes): string {
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

const STEP =
  "{ id: string; title: string; details: string; agent?: string; tool?: string; depends?: string[]; repeat?: string }";

/** The built-in types that TypeScript does not have, spelled out. */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ["int", "number"],
  ["Json", "unknown"],
  ["Artifact", "unknown"],
  ["Image", "unknown"],
  ["Step", STEP],
  ["Plan", `{ steps: (${STEP})[] }`],
]);

function namedText(type: TypeIr & { readonly kind: "named" }, declared: DeclaredTypes): string {
  const { name, args } = type;
  if (declared.has(name)) return name;
  const [first] = args;
  if (name === "Private" && first !== undefined) return typeText(first, declared);
  if (args.length === 0) return BUILT_IN.get(name) ?? name;
  return `${name}<${args.map((argument) => typeText(argument, declared)).join(", ")}>`;
}
