/** Writes the TypeScript type of the values that fit a JSON Schema. */
import { isRecord, type JsonSchema } from "../../../dsl/index.ts";

/** The parts of a schema that are written; the rest is `any`. Descriptions of APIs have schemas that nest without an end. */
const PARTS_MAX = 2_000;

/** `given`: an object may have members of which the schema says nothing; `read`: these can't be named. */
type SchemaUse = "given" | "read";

export function schemaTypeText(schema: JsonSchema, use: SchemaUse): string {
  const definitions = isRecord(schema.$defs) ? schema.$defs : {};
  return new SchemaTypes(definitions, use).typeText(schema, []);
}

class SchemaTypes {
  readonly #definitions: Readonly<Record<string, unknown>>;
  readonly #use: SchemaUse;
  #parts = 0;

  constructor(definitions: Readonly<Record<string, unknown>>, use: SchemaUse) {
    this.#definitions = definitions;
    this.#use = use;
  }

  /** `open` has the definitions that are being written: a circle ends as `any`. */
  typeText(schema: unknown, open: readonly string[]): string {
    this.#parts += 1;
    if (!isRecord(schema) || this.#parts > PARTS_MAX) return "any";
    const { $ref, enum: values, anyOf, oneOf, allOf, type } = schema;
    if (typeof $ref === "string") return this.#reference($ref, open);
    if ("const" in schema) return literalText([schema.const]);
    if (Array.isArray(values)) return literalText(values);
    const choices = Array.isArray(anyOf) ? anyOf : oneOf;
    const parts = [
      ...(Array.isArray(allOf) ? allOf.map((one) => this.typeText(one, open)) : []),
      ...(Array.isArray(choices) ? [union(choices.map((one) => this.typeText(one, open)))] : []),
      ...(type === undefined && !isRecord(schema.properties)
        ? []
        : [union(listOf(type ?? "object").map((one) => this.#plain(one, schema, open)))]),
    ];
    const known = parts.filter((part) => part !== "any");
    return known.length > 1 ? known.map(inBrackets).join(" & ") : (known[0] ?? "any");
  }

  #reference(ref: string, open: readonly string[]): string {
    const name = decodeURIComponent(ref.replace(/^#\/\$defs\//, ""))
      .replaceAll("~1", "/")
      .replaceAll("~0", "~");
    if (open.includes(name) || !Object.hasOwn(this.#definitions, name)) return "any";
    return this.typeText(this.#definitions[name], [...open, name]);
  }

  #plain(type: unknown, schema: JsonSchema, open: readonly string[]): string {
    switch (type) {
      case "string":
      case "boolean":
      case "null":
        return type;
      case "number":
      case "integer":
        return "number";
      case "array":
        return schema.prefixItems === undefined
          ? `${inBrackets(this.typeText(schema.items, open))}[]`
          : "any[]";
      case "object":
        return this.#object(schema, open);
      default:
        return "any";
    }
  }

  #object({ properties, required, additionalProperties }: JsonSchema, open: readonly string[]) {
    const named = isRecord(properties) ? Object.entries(properties) : [];
    if (named.length === 0)
      return additionalProperties === false
        ? "{}"
        : `{ [key: string]: ${this.typeText(additionalProperties, open)} }`;
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    const members = named.map(([name, of]) => {
      const optional = needed.includes(name) ? "" : "?";
      return `${memberName(name)}${optional}: ${this.typeText(of, open)}`;
    });
    const isOpen = this.#use === "given" && additionalProperties !== false;
    return `{ ${[...members, ...(isOpen ? ["[key: string]: unknown"] : [])].join("; ")} }`;
  }
}

function listOf(type: unknown): readonly unknown[] {
  return Array.isArray(type) ? type : [type];
}

function union(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  if (distinct.length === 0 || distinct.includes("any")) return "any";
  return distinct.join(" | ");
}

/** Puts a type into brackets that may be of several parts. */
function inBrackets(type: string): string {
  return /[|&]/.test(type) ? `(${type})` : type;
}

function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Numbers, texts, yes or no and nothing have types of their own. */
function literalText(values: readonly unknown[]): string {
  const isPlain = values.every((value) => value === null || typeof value !== "object");
  return isPlain ? union(values.map((value) => JSON.stringify(value))) : "any";
}
