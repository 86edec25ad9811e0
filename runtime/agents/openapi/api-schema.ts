/** Makes JSON Schemas of 2020-12 of the schemas of a description, each with what it refers to. */
import { isRecord, type JsonSchema } from "../../../dsl/index.ts";
import { type ApiDescription, DescriptionFault, pointedAt, stepsOf } from "./read-description.ts";

/** A value that is sent lacks what is `readOnly`; one that is received what is `writeOnly`. */
export type SchemaDirection = "sent" | "received";

/** Keywords that say nothing of a value, or nothing that JSON Schema knows. */
const DROPPED: ReadonlySet<string> = new Set([
  ...["example", "examples", "externalDocs", "xml", "discriminator", "nullable", "deprecated"],
  ...["readOnly", "writeOnly", "$schema", "$id", "$comment"],
]);
/** Keywords whose value is a schema, a list of them, or a schema by name. */
const ONE: ReadonlySet<string> = new Set([
  ...["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"],
  ...["unevaluatedProperties", "unevaluatedItems"],
]);
const MANY: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const NAMED: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs"]);
const DEPTH_MAX = 100;

/** Collects the schemas of one operation: those that are referred to are converted once, so circles end. */
export class ApiSchemas {
  readonly #description: ApiDescription;
  readonly #direction: SchemaDirection;
  readonly #names = new Map<string, string>();
  readonly #definitions = new Map<string, JsonSchema>();

  constructor(description: ApiDescription, direction: SchemaDirection) {
    this.#description = description;
    this.#direction = direction;
  }

  /** The schemas that the converted ones refer to; absent where they refer to none. */
  get definitions(): { readonly $defs?: Readonly<Record<string, unknown>> } {
    return this.#definitions.size === 0 ? {} : { $defs: Object.fromEntries(this.#definitions) };
  }

  /** Converts the schema at `path`. Throws a `DescriptionFault` for one that refers to nothing, or nests too deep. */
  convert(schema: unknown, path: readonly (string | number)[]): JsonSchema {
    if (path.length > DEPTH_MAX)
      throw new DescriptionFault("its schemas nest too deep", { path: path.slice(0, 12) });
    if (schema === false) return { not: {} };
    if (!isRecord(schema)) return {};
    if (typeof schema.$ref === "string") return this.#reference(schema.$ref, path);
    const entries = Object.entries(schema).flatMap(([keyword, value]) =>
      DROPPED.has(keyword) || keyword.startsWith("x-")
        ? []
        : [[keyword, this.#keyword(keyword, value, [...path, keyword])] as const],
    );
    return this.#ofVersion(schema, this.#inDirection(schema, Object.fromEntries(entries)));
  }

  #keyword(keyword: string, value: unknown, path: readonly (string | number)[]): unknown {
    if (ONE.has(keyword)) return typeof value === "boolean" ? value : this.convert(value, path);
    if (MANY.has(keyword) && Array.isArray(value))
      return value.map((one, index) => this.convert(one, [...path, index]));
    if (!NAMED.has(keyword) || !isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, this.convert(one, [...path, name])]),
    );
  }

  #reference(reference: string, path: readonly (string | number)[]): JsonSchema {
    const known = this.#names.get(reference);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const target = pointedAt(reference, this.#description.root, path);
    const plain = (stepsOf(reference).at(-1) ?? "").replace(/[^\w-]/g, "_") || "Root";
    const taken = new Set(this.#names.values());
    let name = plain;
    for (let count = 2; taken.has(name); count += 1) name = `${plain}_${count}`;
    this.#names.set(reference, name);
    this.#definitions.set(name, this.convert(target, stepsOf(reference)));
    return { $ref: `#/$defs/${name}` };
  }

  /** Leaves out of an object what is not sent, or need not be received. */
  #inDirection(schema: JsonSchema, converted: JsonSchema): JsonSchema {
    const { properties } = schema;
    if (!isRecord(properties)) return converted;
    const mark = this.#direction === "sent" ? "readOnly" : "writeOnly";
    const marked = Object.keys(properties).filter((name) => {
      const property = properties[name];
      return isRecord(property) && property[mark] === true;
    });
    if (marked.length === 0) return converted;
    const { required } = converted;
    const kept = Object.entries(converted.properties as Record<string, unknown>).filter(
      ([name]) => this.#direction === "received" || !marked.includes(name),
    );
    return {
      ...converted,
      properties: Object.fromEntries(kept),
      ...(Array.isArray(required)
        ? { required: required.filter((name) => !marked.includes(name)) }
        : {}),
    };
  }

  /** Schemas of 3.0 say in words of their own that a value may be null, or that a bound is no value. */
  #ofVersion(schema: JsonSchema, converted: JsonSchema): JsonSchema {
    if (this.#description.version !== "3.0") return converted;
    const bounded = withBound(withBound(converted, "minimum"), "maximum");
    if (schema.nullable !== true) return bounded;
    return typeof bounded.type === "string" && bounded.enum === undefined
      ? { ...bounded, type: [bounded.type, "null"] }
      : { anyOf: [bounded, { type: "null" }] };
  }
}

function withBound(schema: JsonSchema, bound: "minimum" | "maximum"): JsonSchema {
  const word = bound === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
  if (typeof schema[word] !== "boolean") return schema;
  const { [word]: isExclusive, [bound]: value, ...rest } = schema;
  if (value === undefined) return rest;
  return { ...rest, [isExclusive === true ? word : bound]: value };
}
