/** Finds the places in which a value does not fit a JSON schema. */
import type { JsonSchema } from "../../dsl/index.ts";
import { isRecord } from "../../dsl/index.ts";
import { pathTo } from "./json.ts";

/** One place where a value does not fit a schema. */
export interface Misfit {
  /** From the value's root, as people write it: `tasks[1].query`; empty for the value itself. */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

/**
 * Lists the places where `value` does not fit `schema`, in the order of the value; empty if it fits. Covers what
 * dsl/ir/json-schema.ts emits and what people write for tools; unknown keywords constrain nothing, as the standard
 * says.
 */
export function misfits(value: unknown, schema: JsonSchema): Misfit[] {
  if (plainlyFits(value, schema)) return [];
  return check(value, schema, { root: schema, path: "", references: 0 });
}

/** `at tasks[1].query: expected a string, found the number 3`. */
export function describeMisfit({ path, expected, found }: Misfit): string {
  return `${path === "" ? "" : `at \`${path}\`: `}expected ${expected}, found ${found}`;
}

interface Walk {
  readonly root: JsonSchema;
  readonly path: string;
  /** `$ref`s followed at this very place: a schema that only refers to itself must not hang us. */
  readonly references: number;
}

function check(value: unknown, schema: unknown, walk: Walk): Misfit[] {
  if (schema === false) return [misfit(walk, "nothing here", value)];
  if (!isRecord(schema)) return [];
  const alternatives = checkAlternatives(value, schema, walk);
  if (alternatives.length > 0) return alternatives;
  const type = checkType(value, schema, walk);
  if (type.length > 0) return type;
  if (Array.isArray(value)) return checkArray(value, schema, walk);
  if (isRecord(value)) return checkObject(value, schema, walk);
  return typeof value === "string"
    ? checkString(value, schema, walk)
    : checkNumber(value, schema, walk);
}

/** Tells whether a schema says no more than a type, if that, and the value is of it: most are looked at no closer. */
function plainlyFits(value: unknown, schema: unknown): boolean {
  if (!isRecord(schema)) return schema !== false;
  for (const keyword in schema) if (keyword !== "type") return false;
  const { type } = schema;
  return type === undefined || (typeof type === "string" && isOfType(value, type));
}

// ── $ref, const, enum, anyOf, oneOf, allOf ──────────────────────────────────────────────────────

function checkAlternatives(value: unknown, schema: JsonSchema, walk: Walk): Misfit[] {
  if (typeof schema.$ref === "string") return checkReference(value, schema.$ref, walk);
  if ("const" in schema && !isEqual(value, schema.const)) {
    return [misfit(walk, JSON.stringify(schema.const), value)];
  }
  const values = schema.enum;
  if (Array.isArray(values) && !values.some((one) => isEqual(value, one))) {
    return [misfit(walk, `one of ${values.map((one) => JSON.stringify(one)).join(", ")}`, value)];
  }
  for (const part of listOf(schema.allOf)) {
    const found = check(value, part, walk);
    if (found.length > 0) return found;
  }
  return checkUnion(value, [...listOf(schema.anyOf), ...listOf(schema.oneOf)], walk);
}

function checkReference(value: unknown, reference: string, walk: Walk): Misfit[] {
  const target = reference
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), walk.root);
  if (walk.references > 32) return [];
  return check(value, target, { ...walk, references: walk.references + 1 });
}

// Of a union that fits nowhere, the alternative of the value's own kind tells most: `query` is missing, and not
// "expected null".
function checkUnion(value: unknown, alternatives: readonly unknown[], walk: Walk): Misfit[] {
  if (alternatives.length === 0) return [];
  const tried = alternatives.map((alternative) => check(value, alternative, walk));
  if (tried.some((found) => found.length === 0)) return [];
  const deeper = tried.filter((found) => found[0]?.path !== walk.path);
  const [only] = deeper;
  if (only !== undefined && deeper.length === 1) return only;
  const expected = new Set(tried.flatMap((found) => found.slice(0, 1).map((one) => one.expected)));
  return [misfit(walk, [...expected].join(" or "), value)];
}

// ── type ────────────────────────────────────────────────────────────────────────────────────────

function checkType(value: unknown, schema: JsonSchema, walk: Walk): Misfit[] {
  const type = schema.type;
  const types = typeof type === "string" ? [type] : listOf(type).map(String);
  if (types.length === 0 || types.some((name) => isOfType(value, name))) return [];
  return [misfit(walk, types.map(typeText).join(" or "), value)];
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "null") return value === null;
  return typeof value === type;
}

function typeText(type: string): string {
  if (type === "null") return "null";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

// ── arrays and objects ──────────────────────────────────────────────────────────────────────────

function checkArray(value: readonly unknown[], schema: JsonSchema, walk: Walk): Misfit[] {
  const first = listOf(schema.prefixItems);
  const rest = schema.items;
  const found: Misfit[] = [];
  for (const [index, item] of value.entries()) {
    const expected = index < first.length ? first[index] : rest;
    if (plainlyFits(item, expected)) continue;
    const at = { ...walk, path: pathTo(walk.path, index), references: 0 };
    found.push(...check(item, expected, at));
  }
  const { minItems, maxItems } = schema;
  const size = `a list of ${value.length}`;
  if (isBelow(value.length, minItems)) {
    found.push({ path: walk.path, expected: `at least ${minItems} items`, found: size });
  }
  if (isAbove(value.length, maxItems)) {
    found.push({ path: walk.path, expected: `at most ${maxItems} items`, found: size });
  }
  return found;
}

function checkObject(value: JsonSchema, schema: JsonSchema, walk: Walk): Misfit[] {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const missing = listOf(schema.required)
    .map(String)
    .filter((name) => !Object.hasOwn(value, name) || value[name] === undefined);
  const at = (name: string) => ({ ...walk, path: pathTo(walk.path, name), references: 0 });
  const found = missing.map((name) => ({
    path: at(name).path,
    expected: expectedOf(properties[name]),
    found: "nothing",
  }));
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const isKnown = Object.hasOwn(properties, name);
    if (plainlyFits(member, isKnown ? properties[name] : schema.additionalProperties)) continue;
    if (isKnown) found.push(...check(member, properties[name], at(name)));
    else found.push(...checkExtra(member, schema.additionalProperties, at(name), properties));
  }
  return found;
}

function checkExtra(
  value: unknown,
  additional: unknown,
  walk: Walk,
  properties: JsonSchema,
): Misfit[] {
  if (additional !== false) return check(value, additional, walk);
  const known = Object.keys(properties).join(", ");
  return [misfit(walk, `no such member${known === "" ? "" : ` (there are ${known})`}`, value)];
}

function expectedOf(schema: unknown): string {
  if (!isRecord(schema)) return "a value";
  if (Array.isArray(schema.enum)) {
    return `one of ${schema.enum.map((one) => JSON.stringify(one)).join(", ")}`;
  }
  if ("const" in schema) return JSON.stringify(schema.const);
  return typeof schema.type === "string" ? typeText(schema.type) : "a value";
}

// ── strings and numbers ─────────────────────────────────────────────────────────────────────────

function checkString(value: string, schema: JsonSchema, walk: Walk): Misfit[] {
  const { minLength, maxLength, pattern } = schema;
  const isMeasured = typeof minLength === "number" || typeof maxLength === "number";
  const length = isMeasured ? Array.from(value).length : 0;
  if (isBelow(length, minLength)) return [misfit(walk, `at least ${minLength} characters`, value)];
  if (isAbove(length, maxLength)) return [misfit(walk, `at most ${maxLength} characters`, value)];
  if (typeof pattern === "string" && !matches(value, pattern)) {
    return [misfit(walk, `a text that matches ${pattern}`, value)];
  }
  return [];
}

function checkNumber(value: unknown, schema: JsonSchema, walk: Walk): Misfit[] {
  if (typeof value !== "number") return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (isBelow(value, minimum)) return [misfit(walk, `at least ${minimum}`, value)];
  if (isAbove(value, maximum)) return [misfit(walk, `at most ${maximum}`, value)];
  if (isBelow(value, exclusiveMinimum) || exclusiveMinimum === value) {
    return [misfit(walk, `more than ${exclusiveMinimum}`, value)];
  }
  if (isAbove(value, exclusiveMaximum) || exclusiveMaximum === value) {
    return [misfit(walk, `less than ${exclusiveMaximum}`, value)];
  }
  return [];
}

function isBelow(value: number, bound: unknown): boolean {
  return typeof bound === "number" && value < bound;
}

function isAbove(value: number, bound: unknown): boolean {
  return typeof bound === "number" && value > bound;
}

// A pattern that JavaScript can't read constrains nothing.
function matches(value: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true;
  }
}

// ── small things ────────────────────────────────────────────────────────────────────────────────

function misfit(walk: Walk, expected: string, value: unknown): Misfit {
  return { path: walk.path, expected, found: foundText(value) };
}

function foundText(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value) ?? String(value);
  return `the ${typeof value} ${text.length > 60 ? `${text.slice(0, 57)}…` : text}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  }
  if (isRecord(a) && isRecord(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => isEqual(a[key], b[key]));
  }
  return a === b;
}
