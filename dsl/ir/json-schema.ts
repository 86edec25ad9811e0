/** Converts a type into JSON Schema. */
import type { JsonSchema, TypeIr } from "./ir.ts";
import { BUILT_IN_TYPES, isMessagesType, printType, type TypeTable } from "./types.ts";

/** A type as JSON Schema, and the parts of it that have none (as people write them). */
export interface SchemaResult {
  readonly schema: JsonSchema;
  readonly unsupported: readonly string[];
}

/**
 * The schema of a file that a person gives: a reference to bytes that the run keeps as an artifact. `contentMediaType` is an
 * annotation, by which whoever asks knows that a file is wanted.
 */
export const FILE_SCHEMA: JsonSchema = {
  type: "object",
  contentMediaType: "application/octet-stream",
  properties: {
    ...Object.fromEntries(
      ["id", "name", "kind", "mime", "hash"].map((name) => [name, { type: "string" }]),
    ),
    bytes: { type: "integer" },
  },
  required: ["id", "name", "kind", "mime", "hash", "bytes"],
};

interface SchemaWalk {
  readonly types: TypeTable;
  /** Set if whoever is asked can give files: an `Artifact` is one. */
  readonly givesFiles: boolean;
  /** Names we are inside of: meeting one again is a recursion. */
  readonly inside: readonly string[];
  /** The schemas of types that name themselves, which can't be inlined, by name. */
  readonly definitions: Map<string, JsonSchema>;
  readonly recursive: Set<string>;
  readonly unsupported: string[];
}

/**
 * JSON Schema (draft 2020-12) of a type: inlined, except that a recursive type stands under `$defs`. With `givesFiles` an
 * `Artifact` is a file that a person gives; else it has no schema.
 */
export function toJsonSchema(
  type: TypeIr,
  types: TypeTable,
  { givesFiles = false }: { readonly givesFiles?: boolean } = {},
): SchemaResult {
  const walk: SchemaWalk = {
    types,
    givesFiles,
    inside: [],
    definitions: new Map(),
    recursive: new Set(),
    unsupported: [],
  };
  const schema = schemaOf(type, walk);
  const $defs = Object.fromEntries(walk.definitions);
  return {
    schema: walk.definitions.size === 0 ? schema : { ...schema, $defs },
    unsupported: walk.unsupported,
  };
}

function schemaOf(type: TypeIr, walk: SchemaWalk): JsonSchema {
  switch (type.kind) {
    case "literal":
      return type.value === null ? { type: "null" } : { const: type.value };
    case "array":
      return { type: "array", items: schemaOf(type.of, walk) };
    case "tuple":
      return {
        type: "array",
        prefixItems: type.types.map((item) => schemaOf(item, walk)),
        items: false,
        minItems: type.types.length,
      };
    case "object":
      return objectSchema(type, walk);
    case "union":
      return unionSchema(type, walk);
    case "named":
      return namedSchema(type, walk);
  }
}

function objectSchema(type: TypeIr & { kind: "object" }, walk: SchemaWalk): JsonSchema {
  const properties = type.members.map((member) => {
    const schema = schemaOf(member.type, walk);
    return [member.name, { ...schema, ...described(member) }] as const;
  });
  return {
    type: "object",
    ...described(type),
    properties: Object.fromEntries(properties),
    required: type.members.filter((member) => !member.optional).map((member) => member.name),
    additionalProperties: false,
  };
}

function described({ description }: { readonly description?: string }): JsonSchema {
  return description === undefined ? {} : { description };
}

function unionSchema(type: TypeIr & { kind: "union" }, walk: SchemaWalk): JsonSchema {
  const values = type.types.map((each) => (each.kind === "literal" ? each : undefined));
  if (values.every((value) => value !== undefined))
    return { enum: values.map(({ value }) => value) };
  return { anyOf: type.types.map((each) => schemaOf(each, walk)) };
}

const PRIMITIVES: Readonly<Record<string, JsonSchema>> = {
  string: { type: "string" },
  number: { type: "number" },
  int: { type: "integer" },
  boolean: { type: "boolean" },
  Json: {},
  unknown: {},
  any: {},
};

function namedSchema(type: TypeIr & { kind: "named" }, walk: SchemaWalk): JsonSchema {
  // They are read in many forms, and checked as they are read.
  if (isMessagesType(type, walk.types)) return {};
  const target = walk.types.get(type.name) ?? BUILT_IN_TYPES.get(type.name);
  if (target !== undefined) return declaredSchema(type.name, target, walk);
  if (walk.givesFiles && type.name === "Artifact") return FILE_SCHEMA;
  const primitive = Object.hasOwn(PRIMITIVES, type.name) ? PRIMITIVES[type.name] : undefined;
  return primitive ?? genericSchema(type, walk) ?? unsupported(type, walk);
}

function declaredSchema(name: string, target: TypeIr, walk: SchemaWalk): JsonSchema {
  const reference = { $ref: `#/$defs/${name}` };
  if (walk.definitions.has(name)) return reference;
  if (walk.inside.includes(name)) {
    walk.recursive.add(name);
    return reference;
  }
  const schema = schemaOf(target, { ...walk, inside: [...walk.inside, name] });
  if (!walk.recursive.has(name)) return schema;
  walk.definitions.set(name, schema);
  return reference;
}

function genericSchema(
  { name, args }: TypeIr & { kind: "named" },
  walk: SchemaWalk,
): JsonSchema | undefined {
  const [first, second] = args;
  if (name === "Record" && second !== undefined && first !== undefined && isString(first))
    return { type: "object", additionalProperties: schemaOf(second, walk) };
  if (first === undefined) return undefined;
  if (name === "Array" || name === "ReadonlyArray")
    return { type: "array", items: schemaOf(first, walk) };
  return name === "Private" ? schemaOf(first, walk) : undefined;
}

function isString(type: TypeIr): boolean {
  return type.kind === "named" && type.name === "string";
}

function unsupported(type: TypeIr, walk: SchemaWalk): JsonSchema {
  walk.unsupported.push(printType(type));
  return {};
}
