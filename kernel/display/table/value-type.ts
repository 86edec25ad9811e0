/** Finds the type that a column of DuckDB has for values of TypeScript, one value after the other. */
import { isPlainObject } from "./plain-rows.ts";

/** A type as `from_json` of DuckDB takes it. */
export type JsonType =
  | string
  | readonly [JsonType]
  | { readonly [field: string]: JsonType | undefined };

type JsonKind = "integer" | "double" | "bigint" | "boolean" | "time" | "text" | "list" | "fields";

/** A struct of more fields is JSON. */
const FIELDS_MAX = 200;
/** A value that is deeper is JSON; a value may hold itself. */
const DEPTH_MAX = 16;

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;

export class ValueType {
  readonly #depth: number;
  readonly #kinds = new Set<JsonKind | "other">();
  readonly #fields = new Map<string, ValueType>();
  #items: ValueType | undefined;

  constructor(depth = 0) {
    this.#depth = depth;
  }

  /** Takes one more value of the column. */
  add(value: unknown): void {
    if (value === null || value === undefined) return;
    const kind = this.#depth > DEPTH_MAX ? "other" : kindOf(value);
    this.#kinds.add(kind);
    // A mixed column is JSON, whichever kinds it mixes.
    if (this.#kinds.size > 1) return;
    if (kind === "list") {
      this.#items ??= new ValueType(this.#depth + 1);
      for (const item of value as readonly unknown[]) this.#items.add(item);
    }
    if (kind === "fields") for (const [name, one] of Object.entries(value)) this.#field(name, one);
  }

  #field(name: string, value: unknown): void {
    const known = this.#fields.get(name);
    if (known === undefined && this.#fields.size > FIELDS_MAX) return;
    const field = known ?? new ValueType(this.#depth + 1);
    this.#fields.set(name, field);
    field.add(value);
  }

  get type(): JsonType {
    const kinds = [...this.#kinds].sort().join(" ");
    switch (kinds) {
      case "":
      case "text":
      case "text time":
        return "VARCHAR";
      case "integer":
        return "BIGINT";
      case "double":
      case "double integer":
        return "DOUBLE";
      case "bigint":
      case "bigint integer":
        return "HUGEINT";
      case "boolean":
        return "BOOLEAN";
      case "time":
        return "TIMESTAMP";
      case "list":
        return [this.#items?.type ?? "VARCHAR"];
      case "fields":
        return this.#isStruct() ? this.#struct() : "JSON";
      default:
        return "JSON";
    }
  }

  #isStruct(): boolean {
    const names = [...this.#fields.keys()];
    // DuckDB does not tell capital letters from small ones.
    const distinct = new Set(names.map((name) => name.toLowerCase()));
    const isNamed = names.length > 0 && !distinct.has("") && distinct.size === names.length;
    return isNamed && names.length <= FIELDS_MAX && names.every((name) => name.isWellFormed());
  }

  #struct(): JsonType {
    return Object.fromEntries([...this.#fields].map(([name, { type }]) => [name, type]));
  }
}

function kindOf(value: unknown): JsonKind | "other" {
  switch (typeof value) {
    case "number":
      return Number.isSafeInteger(value) ? "integer" : "double";
    case "bigint":
      return "bigint";
    case "boolean":
      return "boolean";
    case "string":
      return ISO_TIME.test(value) && !Number.isNaN(Date.parse(value)) ? "time" : "text";
    default:
      break;
  }
  if (Array.isArray(value)) return "list";
  // By its tag, since dates of another realm are no instances of our `Date`.
  if (Object.prototype.toString.call(value) === "[object Date]") return "time";
  return isPlainObject(value) ? "fields" : "other";
}
