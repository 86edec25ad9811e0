import { messageOf } from "../failure.ts";
import { isFrozenJson } from "../state/json.ts";

/** A value that JSON can hold exactly. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** Where a value is not JSON, and what stands there. */
export interface JsonFault {
  /** From the value's root: `[2].at`; empty for the value itself. */
  readonly path: string;
  /** `a function`, `a Date`, … */
  readonly found: string;
}

/** `object.key`, `object["odd key"]` and `list[2]`, from the root, as people write it. */
export function pathTo(path: string, step: string | number): string {
  if (typeof step === "number") return `${path}[${step}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(step)) return `${path}[${JSON.stringify(step)}]`;
  return path === "" ? step : `${path}.${step}`;
}

/** The value as JSON, and every place where something else had to be written down as text. */
export function toJson(value: unknown): { readonly value: Json; readonly faults: JsonFault[] } {
  const faults: JsonFault[] = [];
  return { value: convert(value, { path: "", inside: [], faults }), faults };
}

interface Walk {
  readonly path: string;
  /** The objects around this place: meeting one again is a cycle. */
  readonly inside: readonly object[];
  readonly faults: JsonFault[];
}

function convert(value: unknown, walk: Walk): Json {
  switch (typeof value) {
    case "string":
      return value.isWellFormed() ? value : value.toWellFormed();
    case "boolean":
      return value;
    case "number":
      // JSON has no -0, and nothing here tells it from 0.
      if (Number.isFinite(value)) return value === 0 ? 0 : value;
      return fault(walk, `the number ${value}`, String(value));
    case "bigint":
      return fault(walk, "a BigInt", String(value));
    case "undefined":
      return fault(walk, "undefined", null);
    case "function":
      return fault(walk, "a function", `[function ${value.name}]`);
    case "symbol":
      return fault(walk, "a symbol", String(value));
    case "object":
      return value === null ? null : convertObject(value, walk);
  }
}

const DEPTH_MAX = 500;

function convertObject(value: object, walk: Walk): Json {
  if (isFrozenJson(value)) return value as Json;
  if (walk.inside.includes(value)) return fault(walk, "a cycle", "[cycle]");
  if (walk.inside.length >= DEPTH_MAX) return fault(walk, "nested too deeply", "[too deep]");
  const inner = { ...walk, inside: [...walk.inside, value] };
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, index) =>
      convert(item, { ...inner, path: pathTo(walk.path, index) }),
    );
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return convertInstance(value, inner);
  return convertMembers(value, inner);
}

// Members that are undefined are left out, as JSON does: they are absent, not wrong.
function convertMembers(value: object, walk: Walk): Json {
  const members = Object.keys(value)
    .map((key): [string, unknown] => [key, memberOf(value, key, walk)])
    .filter(([, member]) => member !== undefined);
  const converted = members.map(([key, member]): [string, Json] => [
    key,
    convert(member, { ...walk, path: pathTo(walk.path, key) }),
  ]);
  return Object.fromEntries(converted);
}

function memberOf(value: object, key: string, walk: Walk): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch (thrown) {
    const path = pathTo(walk.path, key);
    return fault({ ...walk, path }, `a getter that throws (${messageOf(thrown)})`, null);
  }
}

function convertInstance(value: object, walk: Walk): Json {
  const name = `a ${value.constructor?.name || "class instance"}`;
  if (value instanceof Error) return fault(walk, name, `${value.name}: ${value.message}`);
  if (value instanceof Map) {
    return fault(walk, name, convertMap(value, { ...walk, faults: [] }));
  }
  if (value instanceof Set) {
    const items = Array.from(value, (item: unknown) => convert(item, { ...walk, faults: [] }));
    return fault(walk, name, items);
  }
  return fault(walk, name, instanceText(value, walk));
}

function convertMap(map: ReadonlyMap<unknown, unknown>, walk: Walk): Json {
  const entries = [...map];
  const named = entries.every(([key]) => typeof key === "string");
  if (named) return convertMembers(Object.fromEntries(entries), walk);
  return entries.map((entry) => entry.map((part) => convert(part, walk)));
}

function instanceText(value: object, walk: Walk): Json {
  try {
    if ("toJSON" in value && typeof value.toJSON === "function") {
      return convert(value.toJSON(), { ...walk, faults: [] });
    }
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    return convertMembers(value, { ...walk, faults: [] });
  } catch {
    return "[unreadable]";
  }
}

function fault(walk: Walk, found: string, instead: Json): Json {
  walk.faults.push({ path: walk.path, found });
  return instead;
}
