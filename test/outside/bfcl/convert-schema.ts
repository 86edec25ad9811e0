/** Converts the schemas of BFCL, whose types are named as in Python, Java and JavaScript, to JSON Schema. */
import { isRecord } from "../../../dsl/index.ts";

const TYPES: Readonly<Record<string, string>> = {
  dict: "object",
  hashmap: "object",
  list: "array",
  tuple: "array",
  arraylist: "array",
  float: "number",
  double: "number",
  int: "integer",
  long: "integer",
  short: "integer",
  byte: "integer",
  bool: "boolean",
  char: "string",
  string: "string",
  str: "string",
  bigint: "integer",
};

/** Types of which a value may be anything. */
const ANY = /^any$/i;

/** Returns the schema with the types of JSON Schema; members that say nothing of the values are left as they are. */
export function toJsonSchema(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const { type, properties, items, additionalProperties, ...more } = schema;
  return {
    ...more,
    ...(type === undefined || (typeof type === "string" && ANY.test(type))
      ? {}
      : { type: typeOf(type) }),
    ...(properties === undefined ? {} : { properties: membersOf(properties) }),
    ...(items === undefined ? {} : { items: toJsonSchema(items) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: toJsonSchema(additionalProperties) }),
  };
}

function typeOf(type: unknown): unknown {
  if (typeof type !== "string") return type;
  return TYPES[type.toLowerCase()] ?? (type.endsWith("[]") ? "array" : type.toLowerCase());
}

function membersOf(properties: unknown): unknown {
  if (!isRecord(properties)) return properties;
  return Object.fromEntries(
    Object.entries(properties).map(([name, of]) => [name, toJsonSchema(of)]),
  );
}
