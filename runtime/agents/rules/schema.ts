/** Reads a JSON Schema as far as the rules model needs it. */
import { isRecord } from "../../../dsl/index.ts";

/** A schema with its reference followed. */
export interface SchemaView {
  readonly type: string | undefined;
  readonly nullable: boolean;
  readonly description: string;
  readonly properties: readonly Property[];
  readonly items: unknown;
  readonly prefixItems: readonly unknown[];
  readonly alternatives: readonly unknown[];
  readonly values: readonly unknown[];
  readonly default: unknown;
  readonly itemsMax: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** A member of an object's schema. */
export interface Property {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
}

/** Reads `schema`; `root` holds the definitions that its references name. */
export function viewSchema(schema: unknown, root: unknown): SchemaView {
  const object = follow(schema, root);
  const types = listOf(object.type).filter((type) => typeof type === "string");
  return {
    type: types.find((type) => type !== "null") ?? types[0] ?? impliedType(object),
    nullable: types.includes("null"),
    description: typeof object.description === "string" ? object.description : "",
    properties: propertiesOf(object),
    items: object.items,
    prefixItems: listOf(object.prefixItems),
    alternatives: [...listOf(object.anyOf), ...listOf(object.oneOf)],
    values: "const" in object ? [object.const] : listOf(object.enum),
    default: object.default,
    itemsMax: numberOr(object.maxItems, Number.POSITIVE_INFINITY),
    minimum: numberOr(object.minimum, Number.NEGATIVE_INFINITY),
    maximum: numberOr(object.maximum, Number.POSITIVE_INFINITY),
  };
}

/** The words of a member's name and description, lower-case: `maxItems` gives `max items`. */
export function describeMember(name: string, description: string): string {
  return `${wordsOfName(name)} ${description}`.toLowerCase().trim();
}

/** `maxItems`, `max_items` and `max-items` as words. */
export function wordsOfName(name: string): string {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/[_\-.]+/g, " ")
    .toLowerCase();
}

const REFERENCES_MAX = 20;

function follow(schema: unknown, root: unknown): Record<string, unknown> {
  let at = schema;
  for (let count = 0; count < REFERENCES_MAX && isRecord(at); count++) {
    const reference = at.$ref;
    if (typeof reference !== "string") return at;
    at = resolvePointer(reference, root);
  }
  return {};
}

function resolvePointer(reference: string, root: unknown): unknown {
  let at = root;
  for (const step of reference.replace(/^#\/?/, "").split("/")) {
    if (step !== "") at = isRecord(at) ? at[step.replaceAll("~1", "/").replaceAll("~0", "~")] : {};
  }
  return at;
}

function impliedType(schema: Record<string, unknown>): string | undefined {
  if (isRecord(schema.properties)) return "object";
  return "items" in schema || "prefixItems" in schema ? "array" : undefined;
}

function propertiesOf(schema: Record<string, unknown>): Property[] {
  const required = new Set(listOf(schema.required));
  const properties = isRecord(schema.properties) ? schema.properties : {};
  return Object.entries(properties).map(([name, member]) => ({
    name,
    schema: member,
    required: required.has(name),
  }));
}

function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
