/** The built-in types, and how names of types are resolved. */
import type { TypeIr } from "./ir.ts";

/** Declared types by name. */
export type TypeTable = ReadonlyMap<string, TypeIr>;

export const STRING: TypeIr = { kind: "named", name: "string", args: [] };
export const INT: TypeIr = { kind: "named", name: "int", args: [] };
export const NUMBER: TypeIr = { kind: "named", name: "number", args: [] };
export const BOOLEAN: TypeIr = { kind: "named", name: "boolean", args: [] };

/** Types that need no declaration and have no members of their own. */
const PRIMITIVE_TYPES = ["string", "number", "int", "boolean", "Json", "unknown", "any"] as const;

/** Types that take arguments. */
const GENERIC_TYPES = ["Array", "ReadonlyArray", "Record", "Private"] as const;

/** Types of values that the engine makes and no text can spell. */
const OPAQUE_TYPES = ["Artifact", "Image"] as const;

const optional = (name: string, type: TypeIr) => ({ name, optional: true, type });
const required = (name: string, type: TypeIr) => ({ name, optional: false, type });

/** The type of a conversation, whose fields have a reducer of their own. */
const MESSAGES = "Messages";

const MESSAGE: TypeIr = object([
  optional("id", STRING),
  required("role", literals("system", "user", "assistant", "tool")),
  optional("name", STRING),
  required("content", STRING),
  optional("parts", {
    kind: "array",
    of: object([
      required("type", literals("text", "file")),
      optional("text", STRING),
      optional("mediaType", STRING),
      optional("hash", STRING),
      optional("url", STRING),
      optional("name", STRING),
    ]),
  }),
  optional("toolCalls", {
    kind: "array",
    of: object([
      required("id", STRING),
      required("tool", STRING),
      required("input", { kind: "named", name: "Json", args: [] }),
    ]),
  }),
  optional("toolCallId", STRING),
  optional("isError", BOOLEAN),
]);

/** The built-in types that have members; a declared type of the same name goes before. */
export const BUILT_IN_TYPES: TypeTable = new Map<string, TypeIr>([
  [MESSAGES, { kind: "array", of: MESSAGE }],
  ["Message", MESSAGE],
  [
    "Plan",
    object([
      required("steps", { kind: "array", of: { kind: "named", name: "Step", args: [] } }),
      ...["name", "task", "summary", "thought"].map((name) => optional(name, STRING)),
      optional("version", { kind: "named", name: "int", args: [] }),
    ]),
  ],
  [
    "Step",
    object([
      required("id", STRING),
      required("title", STRING),
      required("details", STRING),
      optional("agent", STRING),
      optional("tool", STRING),
      optional("depends", { kind: "array", of: STRING }),
      optional("when", STRING),
      optional("repeat", STRING),
      optional("notes", { kind: "array", of: { kind: "named", name: "Json", args: [] } }),
    ]),
  ],
]);

/** Every type name that can be written without declaring it. */
export const KNOWN_TYPES: readonly string[] = [
  ...PRIMITIVE_TYPES,
  ...GENERIC_TYPES,
  ...OPAQUE_TYPES,
  ...BUILT_IN_TYPES.keys(),
];

/**
 * Returns the type that a declared name stands for; any other type is returned as it is. Undefined
 * for a name that is not declared or stands for itself.
 */
export function resolveType(type: TypeIr, types: TypeTable): TypeIr | undefined {
  const seen = new Set<string>();
  let current = type;
  while (current.kind === "named") {
    if (seen.has(current.name)) return undefined;
    seen.add(current.name);
    const target =
      types.get(current.name) ?? BUILT_IN_TYPES.get(current.name) ?? spelledOut(current);
    if (target === undefined) return KNOWN_TYPES.includes(current.name) ? current : undefined;
    current = target;
  }
  return current;
}

/** Returns whether a type is the built-in one of a conversation; `types` are the declared ones. */
export function isMessagesType(type: TypeIr, types: { has(name: string): boolean }): boolean {
  return type.kind === "named" && type.name === MESSAGES && !types.has(MESSAGES);
}

/** A type as people write it. */
export function printType(type: TypeIr): string {
  switch (type.kind) {
    case "named":
      return type.args.length === 0
        ? type.name
        : `${type.name}<${type.args.map(printType).join(", ")}>`;
    case "literal":
      return JSON.stringify(type.value);
    case "object":
      return type.members.length === 0 ? "{}" : `{ ${type.members.map(printMember).join(", ")} }`;
    case "array":
      return type.of.kind === "union" ? `(${printType(type.of)})[]` : `${printType(type.of)}[]`;
    case "tuple":
      return `[${type.types.map(printType).join(", ")}]`;
    case "union":
      return type.types
        .map((each) => (each.kind === "union" ? `(${printType(each)})` : printType(each)))
        .join(" | ");
  }
}

function printMember(member: { name: string; optional: boolean; type: TypeIr }): string {
  return `${member.name}${member.optional ? "?" : ""}: ${printType(member.type)}`;
}

function literals(...values: readonly string[]): TypeIr {
  return { kind: "union", types: values.map((value) => ({ kind: "literal", value })) };
}

function object(members: (TypeIr & { kind: "object" })["members"]): TypeIr {
  return { kind: "object", members };
}

/** `Array<T>` is `T[]`, and `Private<T>` is used like `T`. */
function spelledOut({ name, args: [argument] }: TypeIr & { kind: "named" }): TypeIr | undefined {
  if (argument === undefined) return undefined;
  if (name === "Array" || name === "ReadonlyArray") return { kind: "array", of: argument };
  return name === "Private" ? argument : undefined;
}
