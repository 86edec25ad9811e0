/** Checks values of one type, and remembers the frozen ones that fit: a list that is written again is not read again. */
import type { JsonSchema } from "../../dsl/index.ts";
import { isFrozenJson, pathTo } from "./json.ts";
import { type Misfit, misfits } from "./json-schema.ts";

export class ValueCheck {
  readonly #schema: JsonSchema;
  /** Of a list: the check of one item. */
  readonly #items: ValueCheck | undefined;
  readonly #fitting = new WeakSet<object>();

  constructor(schema: JsonSchema) {
    this.#schema = schema;
    this.#items = itemSchema(schema, (items) => new ValueCheck(items));
  }

  /** The first place where the value does not fit; undefined where it fits. */
  misfit(value: unknown): Misfit | undefined {
    if (typeof value !== "object" || value === null) return misfits(value, this.#schema)[0];
    if (this.#fitting.has(value)) return undefined;
    const found =
      this.#items !== undefined && Array.isArray(value)
        ? firstMisfit(value, this.#items)
        : misfits(value, this.#schema)[0];
    if (found === undefined && isFrozenJson(value)) this.#fitting.add(value);
    return found;
  }

  /** The same for what is added to a list: its items, or one item. */
  addedMisfit(added: unknown): Misfit | undefined {
    if (Array.isArray(added)) return this.misfit(added);
    return this.#items === undefined ? this.misfit([added]) : this.#items.misfit(added);
  }

  /** The same for what is merged into an object: those members that it has. */
  mergedMisfit(part: unknown): Misfit | undefined {
    if (this.misfit(part) === undefined) return undefined;
    return misfits(part, { ...this.#schema, required: [] })[0];
  }
}

/** The schema of an item, where the schema says no more of a list than that. */
function itemSchema<T>(schema: JsonSchema, make: (items: JsonSchema) => T): T | undefined {
  const { type, items, $defs, ...others } = schema;
  const isPlainList = type === "array" && typeof items === "object" && items !== null;
  if (!isPlainList || Object.keys(others).length > 0) return undefined;
  return make($defs === undefined ? (items as JsonSchema) : { ...items, $defs });
}

function firstMisfit(list: readonly unknown[], items: ValueCheck): Misfit | undefined {
  for (let index = 0; index < list.length; index += 1) {
    const found = items.misfit(list[index]);
    if (found === undefined) continue;
    const rest = found.path;
    const at = pathTo("", index);
    return { ...found, path: rest === "" || rest.startsWith("[") ? at + rest : `${at}.${rest}` };
  }
  return undefined;
}
