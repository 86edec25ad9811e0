/** Generates values of a JSON Schema: as dsl/ir/json-schema.ts writes them, and bounds of lengths and numbers. */
import { isRecord, type JsonSchema } from "../../dsl/index.ts";
import { misfits } from "../state/json-schema.ts";
import type { Draws } from "./draws.ts";

/** A value of the schema; undefined where what was generated does not fit it, as with a `pattern`. */
export function generateValue(
  schema: JsonSchema,
  draws: Draws,
): { readonly value: unknown } | undefined {
  const value = valueIn(schema, { root: schema, draws, depth: 0 });
  return misfits(value, schema).length === 0 ? { value } : undefined;
}

interface Generation {
  readonly root: JsonSchema;
  readonly draws: Draws;
  /** The lists, objects and references that this stands in: deep down everything is as short as it can be. */
  readonly depth: number;
}

const DEPTH_MAX = 4;

function valueIn(schema: unknown, generation: Generation): unknown {
  if (!isRecord(schema)) return anyValue(generation);
  const { draws, depth } = generation;
  if (typeof schema.$ref === "string")
    return valueIn(referred(schema.$ref, generation.root), { ...generation, depth: depth + 1 });
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[draws.draw(schema.enum.length - 1)];
  const alternatives = listOf(schema.anyOf ?? schema.oneOf);
  if (alternatives.length > 0) return valueIn(oneOf(alternatives, generation), generation);
  const types = typeof schema.type === "string" ? [schema.type] : listOf(schema.type);
  switch (types[types.length > 1 ? draws.draw(types.length - 1) : 0]) {
    case "string":
      return generatedText(schema, draws);
    case "integer":
      return wholeNumber(schema, draws);
    case "number":
      return draws.draw(2) < 2 ? wholeNumber(schema, draws) : wholeNumber(schema, draws) / 4;
    case "boolean":
      return draws.draw(1) === 1;
    case "null":
      return null;
    case "array":
      return itemsOf(schema, generation);
    case "object":
      return membersOf(schema, generation);
    default:
      return anyValue(generation);
  }
}

function referred(reference: string, root: JsonSchema): unknown {
  const steps = reference.split("/").slice(1);
  return steps.reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), root);
}

/** Deep down one that goes no deeper, if there is one. */
function oneOf(alternatives: readonly unknown[], { draws, depth }: Generation): unknown {
  const flat = alternatives.filter((one) => !JSON.stringify(one).includes("$ref"));
  const open = depth > DEPTH_MAX && flat.length > 0 ? flat : alternatives;
  return open[draws.draw(open.length - 1)];
}

function anyValue(generation: Generation): unknown {
  const { draws, depth } = generation;
  const types = ["null", "boolean", "integer", "string", "array", "object"];
  const type = types[draws.draw(depth > 2 ? 3 : types.length - 1)];
  const additionalProperties = type === "object" ? { additionalProperties: true } : {};
  return valueIn({ type, ...additionalProperties }, generation);
}

/** The first letter is the simplest one; the others are what programs stumble over. */
const LETTERS = [
  ...["a", "b", "A", "0", " ", "-", "_", ".", ",", "/", "\n", "\t", '"', "'", "`", "\\"],
  ...["$", "{", "}", "<", "é", "ß", "東", "🎵", "\u200b", "\u0000"],
];

function generatedText({ minLength, maxLength }: JsonSchema, draws: Draws): string {
  const least = numberOr(minLength, 0);
  const most = Math.max(least, Math.min(numberOr(maxLength, 20), least + 20));
  let text = "";
  for (let length = 0; length < most && isNext(length < least, draws); length += 1)
    text += LETTERS[draws.draw(LETTERS.length - 1)];
  return text;
}

/** Tells whether another one follows: each is a draw of its own, so that a shorter list lacks draws. */
function isNext(isNeeded: boolean, draws: Draws): boolean {
  return isNeeded || draws.draw(4) > 0;
}

const REACHES = [1, 10, 1000, 2 ** 31 - 1];

function wholeNumber(schema: JsonSchema, draws: Draws): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const least = Math.ceil(numberOr(minimum, numberOr(exclusiveMinimum, Number.NaN) + 1));
  const most = Math.floor(numberOr(maximum, numberOr(exclusiveMaximum, Number.NaN) - 1));
  const reach = REACHES[draws.draw(REACHES.length - 1)] ?? 1;
  const size = draws.draw(reach);
  const isNegative = draws.draw(3) === 3 && size > 0;
  if (!Number.isNaN(least)) return Math.min(least + size, Number.isNaN(most) ? Infinity : most);
  return Number.isNaN(most) ? (isNegative ? -size : size) : most - size;
}

const ITEMS_MAX = 8;

function itemsOf(schema: JsonSchema, generation: Generation): readonly unknown[] {
  const { draws, depth } = generation;
  const inside = { ...generation, depth: depth + 1 };
  const first = listOf(schema.prefixItems).map((item) => valueIn(item, inside));
  if (schema.items === false) return first;
  const least = numberOr(schema.minItems, 0);
  const most = Math.max(least, Math.min(numberOr(schema.maxItems, ITEMS_MAX), least + ITEMS_MAX));
  const items = [...first];
  while (items.length < most && (items.length < least || (depth <= DEPTH_MAX && draws.draw(3) > 0)))
    items.push(valueIn(schema.items, inside));
  return items;
}

function membersOf(schema: JsonSchema, generation: Generation): Readonly<Record<string, unknown>> {
  const { draws, depth } = generation;
  const inside = { ...generation, depth: depth + 1 };
  const required = new Set(listOf(schema.required));
  const properties = Object.entries(isRecord(schema.properties) ? schema.properties : {});
  const members = properties.flatMap(([name, member]) =>
    required.has(name) || (depth <= DEPTH_MAX && draws.draw(1) === 1)
      ? [[name, valueIn(member, inside)] as const]
      : [],
  );
  const { additionalProperties: more = false } = schema;
  if (more === false || properties.length > 0) return Object.fromEntries(members);
  while (members.length < ITEMS_MAX && depth <= DEPTH_MAX && draws.draw(3) > 0)
    members.push([generatedText({ minLength: 1, maxLength: 4 }, draws), valueIn(more, inside)]);
  return Object.fromEntries(members);
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
