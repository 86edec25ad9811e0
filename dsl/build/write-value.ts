/** Values, fields, parameters and assignments as text. */
import { printKey, printNumber } from "../print/print-expression.ts";
import type {
  Assigns,
  BuilderParam,
  BuilderValue,
  Count,
  Field,
  Fields,
  JsonOption,
  Params,
  Texts,
} from "./options.ts";

/** An expression; a string is text of the language already. */
export function writeValue(value: BuilderValue): string {
  return typeof value === "string" ? value : writeJson(value);
}

/** A number, or a name. */
export function writeCount(count: Count): string {
  return typeof count === "number" ? printNumber(count) : count;
}

/** `a, b`. */
export function writeTexts(texts: Texts): string {
  return typeof texts === "string" ? texts : texts.join(", ");
}

/** `at = at + 1, notes = []`. */
export function writeAssigns(assigns: Assigns): string {
  if (typeof assigns === "string") return assigns;
  return Object.entries(assigns)
    .map(([field, value]) => `${field} = ${writeValue(value)}`)
    .join(", ");
}

/** One line a field. */
export function writeFields(fields: Fields): readonly string[] {
  return Object.entries(fields).map(([name, field]) => `${name}: ${writeField(field)}`);
}

/** Parameters in their parentheses; none, no parentheses. */
export function writeParams(params: Params = {}): string {
  const written = Object.entries(params).map(([name, param]) => writeParam(name, param));
  return written.length === 0 ? "" : `(${written.join(", ")})`;
}

/** `width: int = 4`. */
export function writeParam(name: string, param: BuilderParam): string {
  return `${name}: ${typeof param === "string" ? param : `${param.type}${writeDefault(param)}`}`;
}

/** `Array.isArray` for lists that can't be changed. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** A name without the `?` behind it. */
export function plainName(name: string): string {
  return name.replace(/\?$/, "");
}

function writeField(field: Field): string {
  if (typeof field === "string") return field;
  const via = field.via === undefined ? "" : ` via ${field.via}`;
  return `${field.type}${writeDefault(field)}${via}`;
}

function writeDefault({ default: value }: { readonly default?: BuilderValue }): string {
  return value === undefined ? "" : ` = ${writeValue(value)}`;
}

function writeJson(value: JsonOption): string {
  if (typeof value === "number") return printNumber(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(writeJson).join(", ")}]`;
  const entries = Object.entries(value).map(([key, one]) => `${printKey(key)}: ${writeJson(one)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
