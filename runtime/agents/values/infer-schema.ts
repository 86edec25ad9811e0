/** Infers a JSON Schema from data, with counts and ranges. */
import type { JsonSchema } from "../../../dsl/index.ts";

export interface Inferred {
  /** Of a list, its items; of a table, its rows. */
  readonly count?: number;
  readonly schema?: JsonSchema;
}

/** Of JSON, what its values have in common; of a table in CSV, its columns. Of anything else nothing is known. */
export function inferred(data: string | { readonly value: unknown }, mime: string): Inferred {
  if (typeof data !== "string") return ofValue(data.value);
  if (data.length > TEXT_MAX) return {};
  if (mime === "application/json") return ofText(data);
  return mime === "text/csv" ? ofTable(data) : {};
}

const TEXT_MAX = 1_000_000;

function ofText(text: string): Inferred {
  try {
    return ofValue(JSON.parse(text));
  } catch {
    // It says that it is JSON and is none: then nothing is known of it.
    return {};
  }
}

function ofValue(value: unknown): Inferred {
  const count = Array.isArray(value) ? { count: value.length } : {};
  return { ...count, schema: inferSchema(value) };
}

/** The first line names the columns; lines within quotes are no rows of their own. */
function ofTable(text: string): Inferred {
  const rows = text
    .replaceAll(/"(?:[^"]|"")*"/g, (quoted) =>
      quoted.replaceAll(/[\r\n]/g, " ").replaceAll(",", QUOTED),
    )
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  const [head] = rows;
  if (head === undefined) return { count: 0 };
  const columns = head.split(",").map(columnName);
  const properties = Object.fromEntries(columns.map((name) => [name, { type: "string" }]));
  return {
    count: rows.length - 1,
    schema: { type: "array", items: { type: "object", properties, required: columns } },
  };
}

/** Stands for a comma that divides nothing. */
const QUOTED = "\u0001";

function columnName(text: string): string {
  const [, quoted] = /^"(.*)"$/.exec(text.trim()) ?? [];
  return (quoted?.replaceAll('""', '"') ?? text.trim()).replaceAll(QUOTED, ",");
}

/** The narrowest that all of it fits: members that only some have are not required. */
export function inferSchema(value: unknown): JsonSchema {
  if (Array.isArray(value)) {
    const items = united(value.slice(0, ITEMS_MAX).map(inferSchema));
    return items === undefined ? { type: "array" } : { type: "array", items };
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [name, inferSchema(member)]);
    return {
      type: "object",
      properties: Object.fromEntries(members),
      required: Object.keys(value),
    };
  }
  if (value === null) return { type: "null" };
  return { type: Number.isInteger(value) ? "integer" : typeof value };
}

const ITEMS_MAX = 1_000;

function united(schemas: readonly JsonSchema[]): JsonSchema | undefined {
  const [first, ...more] = schemas;
  return first && more.reduce(both, first);
}

function both(one: JsonSchema, other: JsonSchema): JsonSchema {
  const types = new Set([one.type, other.type].flat());
  // A whole number is a number too.
  if (types.has("number")) types.delete("integer");
  const [type, ...more] = types;
  return {
    type: more.length === 0 ? type : [...types],
    ...objectOf(one, other),
    ...itemsOf(one, other),
  };
}

function objectOf(one: JsonSchema, other: JsonSchema): JsonSchema {
  const [a, b] = [one.properties, other.properties] as (Record<string, JsonSchema> | undefined)[];
  if (a === undefined || b === undefined) return partOf(a === undefined ? other : one, OBJECT);
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const properties = names.map((name) => [name, united([a[name], b[name]].flatMap(present))]);
  const required = (one.required as readonly string[]).filter((name) =>
    (other.required as readonly string[]).includes(name),
  );
  return { properties: Object.fromEntries(properties), required };
}

function itemsOf(one: JsonSchema, other: JsonSchema): JsonSchema {
  const items = united([one.items, other.items].flatMap(present));
  return items === undefined ? {} : { items };
}

function present(schema: unknown): readonly JsonSchema[] {
  return schema === undefined ? [] : [schema as JsonSchema];
}

const OBJECT = ["properties", "required"];

function partOf(schema: JsonSchema, names: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)));
}
