/** Writes the rules of a GBNF grammar by which llama.cpp lets a model say only what fits a JSON schema. */
import { isRecord, type JsonSchema } from "../../../../dsl/index.ts";

/** A grammar while rules are added to it. */
export class JsonGrammar {
  readonly #rules = new Map<string, string>(Object.entries(PRIMITIVES));
  /** The names of the rules of definitions, by their references. */
  readonly #definitions = new Map<string, string>();
  /** Keywords of the schemas that the grammar does not hold the model to. */
  readonly ignored = new Set<string>();

  /** Adds what fits `schema`, whose references begin at itself; returns the expression for it. */
  add(schema: unknown): string {
    this.#definitions.clear();
    return this.#expression(schema, schema);
  }

  /** Adds a rule; returns its name. */
  rule(body: string): string {
    const name = `r${this.#rules.size}`;
    this.#rules.set(name, body);
    return name;
  }

  /** The whole grammar, of which a text must fit `root`. */
  text(root: string): string {
    const rules = [...this.#rules].map(([name, body]) => `${name} ::= ${body}`);
    return [`root ::= ${root}`, ...rules, ""].join("\n");
  }

  #expression(schema: unknown, root: unknown): string {
    if (!isRecord(schema)) return schema === false ? this.#nothing() : "value";
    if (typeof schema.$ref === "string") return this.#reference(schema.$ref, root);
    if ("const" in schema) return literal(schema.const);
    if (Array.isArray(schema.enum)) return oneOf(schema.enum.map(literal));
    this.#note(schema);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(alternatives)) {
      const possible = alternatives.filter((one) => one !== false);
      return oneOf(possible.map((one) => this.#expression(one, root)));
    }
    const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? typeOf(schema)];
    return oneOf(types.map((type) => this.#typed(String(type), schema, root)));
  }

  #typed(type: string, schema: JsonSchema, root: unknown): string {
    switch (type) {
      case "object":
        return this.rule(this.#object(schema, root));
      case "array":
        return this.rule(this.#array(schema, root));
      case "string":
        return stringOf(schema);
      case "number":
      case "integer":
      case "boolean":
      case "null":
        return type;
      default:
        return "value";
    }
  }

  // Named before it is made, so that it may contain itself.
  #reference(reference: string, root: unknown): string {
    const known = this.#definitions.get(reference);
    if (known !== undefined) return known;
    const name = this.rule("value");
    this.#definitions.set(reference, name);
    this.#rules.set(name, this.#expression(targetOf(reference, root), root));
    return name;
  }

  /** Its members in the order of the schema; those that are not required may be left out. */
  #object(schema: JsonSchema, root: unknown): string {
    const properties = Object.entries(isRecord(schema.properties) ? schema.properties : {});
    if (properties.length === 0) return this.#map(schema, root);
    const required = Array.isArray(schema.required) ? schema.required : [];
    let first = "";
    let next = "";
    for (const [name, member] of properties.filter(([, one]) => one !== false).reverse()) {
      const pair = `${literal(name)} ":" space ${this.#expression(member, root)}`;
      const isRequired = required.includes(name);
      const whole = `${pair} ${next}`;
      const after = `"," space ${pair} ${next}`;
      const without = first === "" ? '""' : first;
      first = this.rule(isRequired ? whole : `${whole} | ${without}`);
      next = this.rule(isRequired ? after : `${after} | ${next === "" ? '""' : next}`);
    }
    return `"{" ${first} "}"`;
  }

  #map(schema: JsonSchema, root: unknown): string {
    const { additionalProperties } = schema;
    if (additionalProperties === false) return '"{}"';
    const pair = this.rule(`string ":" space ${this.#expression(additionalProperties, root)}`);
    return `"{" (${pair} ("," space ${pair})*)? "}"`;
  }

  #array(schema: JsonSchema, root: unknown): string {
    const { minItems: min = 0, maxItems: max } = schema as { minItems?: number; maxItems?: number };
    const tuple = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    const head = tuple.map((item) => this.#expression(item, root));
    if (schema.items === false || (max !== undefined && max <= head.length)) {
      return `"[" ${head.join(' "," space ')} "]"`;
    }
    const item = this.rule(this.#expression(schema.items, root));
    const more = `("," space ${item})`;
    const [from, to] = [min - head.length, max === undefined ? undefined : max - head.length];
    if (head.length > 0) {
      return `"[" ${head.join(' "," space ')} ${more}${times(Math.max(from, 0), to)} "]"`;
    }
    const items = `${item} ${more}${times(Math.max(min - 1, 0), max === undefined ? max : max - 1)}`;
    return min > 0 ? `"[" ${items} "]"` : `"[" (${items})? "]"`;
  }

  #nothing(): string {
    this.ignored.add("false");
    return "value";
  }

  #note(schema: JsonSchema): void {
    for (const keyword of IGNORED) if (keyword in schema) this.ignored.add(keyword);
    if (isRecord(schema.properties) && isRecord(schema.additionalProperties)) {
      this.ignored.add("additionalProperties");
    }
  }
}

/** The keywords that constrain a value and that no rule here expresses. */
const IGNORED = [
  "allOf",
  "contains",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "if",
  "maxProperties",
  "maximum",
  "minProperties",
  "minimum",
  "multipleOf",
  "not",
  "pattern",
  "patternProperties",
  "propertyNames",
  "uniqueItems",
] as const;

// Numbers have an end, so that a model can't go on with digits for ever.
const PRIMITIVES = {
  space: '" "?',
  char: String.raw`[^"\\\x7F\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4})`,
  string: String.raw`"\"" char* "\""`,
  integer: '"-"? ("0" | [1-9] [0-9]{0,14})',
  number: 'integer ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?',
  boolean: '"true" | "false"',
  null: '"null"',
  list: '"[" (value ("," space value)*)? "]"',
  pair: 'string ":" space value',
  map: '"{" (pair ("," space pair)*)? "}"',
  value: "string | number | boolean | null | list | map",
} as const;

/** A value of JSON, as a text of the grammar. */
function literal(value: unknown): string {
  return JSON.stringify(JSON.stringify(value));
}

function oneOf(expressions: readonly string[]): string {
  const [only = "value"] = expressions;
  return expressions.length > 1 ? `(${expressions.join(" | ")})` : only;
}

function stringOf({
  minLength = 0,
  maxLength,
}: {
  minLength?: unknown;
  maxLength?: unknown;
}): string {
  if (maxLength === undefined && minLength === 0) return "string";
  return String.raw`"\"" char${times(Number(minLength), maxLength)} "\""`;
}

function times(min: number, max: unknown): string {
  if (max !== undefined) return `{${min},${Number(max)}}`;
  return min === 0 ? "*" : `{${min},}`;
}

function typeOf(schema: JsonSchema): string {
  if ("properties" in schema || "additionalProperties" in schema) return "object";
  return "items" in schema || "prefixItems" in schema ? "array" : "any";
}

function targetOf(reference: string, root: unknown): unknown {
  return reference
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), root);
}
