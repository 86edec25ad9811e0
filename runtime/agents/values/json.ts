/** Converts values to JSON, and lists what is not JSON with its path. */
import { messageOf } from "../../failure.ts";
import { isFrozenJson, pathTo } from "../../state/json.ts";
import { withoutView } from "../../state/list-view.ts";

/** A value that JSON can hold exactly. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A value that is not JSON, with its path. */
export interface JsonFault {
  /** From the value's root: `[2].at`; empty for the value itself. */
  readonly path: string;
  /** `a function`, `a Date`, … */
  readonly found: string;
}

/** The value as JSON, and every place where something else had to be written down as text. */
export function toJson(value: unknown): { readonly value: Json; readonly faults: JsonFault[] } {
  const faults: JsonFault[] = [];
  return { value: convert(value, { around: undefined, step: "", depth: 0, faults }), faults };
}

/** The position of a value. Its path is built only for a fault, which is rare. */
interface JsonPlace {
  readonly around: JsonPlace | undefined;
  readonly step: string | number;
  readonly depth: number;
  readonly faults: JsonFault[];
  /** The object there: meeting it again inside itself is a cycle. */
  object?: object;
}

function inside(around: JsonPlace, step: string | number): JsonPlace {
  return { around, step, depth: around.depth + 1, faults: around.faults };
}

/** The same place, for what is a fault as a whole: what is wrong inside it is not told. */
function withoutInnerFaults(place: JsonPlace): JsonPlace {
  return { ...place, faults: [] };
}

function pathOf({ around, step }: JsonPlace): string {
  return around === undefined ? "" : pathTo(pathOf(around), step);
}

function convert(value: unknown, place: JsonPlace): Json {
  switch (typeof value) {
    case "string":
      return value.isWellFormed() ? value : value.toWellFormed();
    case "boolean":
      return value;
    case "number":
      // JSON has no -0, and nothing here tells it from 0.
      if (Number.isFinite(value)) return value === 0 ? 0 : value;
      return fault(place, `the number ${value}`, String(value));
    case "bigint":
      return fault(place, "a BigInt", String(value));
    case "undefined":
      return fault(place, "undefined", null);
    case "function":
      return fault(place, "a function", `[function ${value.name}]`);
    case "symbol":
      return fault(place, "a symbol", String(value));
    case "object":
      return value === null ? null : readObject(value, place);
  }
}

/** Reads an object's members as JSON; a proxy may throw at each access. */
function readObject(value: object, place: JsonPlace): Json {
  try {
    return convertObject(value, place);
  } catch (thrown) {
    return fault(place, `an object that can't be read (${messageOf(thrown)})`, "[unreadable]");
  }
}

const DEPTH_MAX = 500;

function convertObject(value: object, place: JsonPlace): Json {
  if (isFrozenJson(value)) return withoutView(value as Json);
  if (isInside(value, place)) return fault(place, "a cycle", "[cycle]");
  if (place.depth >= DEPTH_MAX) return fault(place, "nested too deeply", "[too deep]");
  place.object = value;
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, index) =>
      isPlain(item) ? item : convert(item, inside(place, index)),
    );
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    const message = serializedMessage(value);
    return message === undefined
      ? convertInstance(value, place)
      : convert(message, inside(place, ""));
  }
  return convertMembers(value, place);
}

/** A message of LangChain says itself how it is written as JSON, from which it can be read again. */
function serializedMessage(value: object): unknown {
  const { lc_serializable: isMessage, toJSON } = value as Readonly<Record<string, unknown>>;
  if (isMessage !== true || typeof toJSON !== "function") return undefined;
  return JSON.parse(JSON.stringify(value)) as unknown;
}

function isInside(value: object, { around }: JsonPlace): boolean {
  for (let at = around; at !== undefined; at = at.around) if (at.object === value) return true;
  return false;
}

/** Returns whether a value is JSON wherever it stands. */
function isPlain(value: unknown): value is number | boolean | null {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === "boolean" || value === null;
}

// Members that are undefined are left out, as JSON does: they are absent, not wrong.
function convertMembers(value: object, place: JsonPlace): Json {
  const members: [string, Json][] = [];
  for (const key of Object.keys(value)) {
    const member = readProperty(value, key, place);
    if (member === undefined) continue;
    members.push([key, isPlain(member) ? member : convert(member, inside(place, key))]);
  }
  return Object.fromEntries(members);
}

function readProperty(value: object, key: string, place: JsonPlace): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch (thrown) {
    return fault(inside(place, key), `a getter that throws (${messageOf(thrown)})`, null);
  }
}

function convertInstance(value: object, place: JsonPlace): Json {
  const name = `a ${value.constructor?.name || "class instance"}`;
  if (value instanceof Error) return fault(place, name, `${value.name}: ${value.message}`);
  if (value instanceof Map) return fault(place, name, convertMap(value, withoutInnerFaults(place)));
  if (value instanceof Set) {
    const within = withoutInnerFaults(place);
    const items = Array.from(value, (item: unknown, index) => convert(item, inside(within, index)));
    return fault(place, name, items);
  }
  return fault(place, name, instanceText(value, withoutInnerFaults(place)));
}

function convertMap(map: ReadonlyMap<unknown, unknown>, place: JsonPlace): Json {
  const entries = [...map];
  const named = entries.every(([key]) => typeof key === "string");
  if (named) return convertMembers(Object.fromEntries(entries), place);
  return entries.map((entry, index) => entry.map((part) => convert(part, inside(place, index))));
}

function instanceText(value: object, place: JsonPlace): Json {
  try {
    if ("toJSON" in value && typeof value.toJSON === "function") {
      return convert(value.toJSON(), inside(place, "toJSON"));
    }
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    return convertMembers(value, place);
  } catch {
    return "[unreadable]";
  }
}

function fault(place: JsonPlace, found: string, instead: Json): Json {
  place.faults.push({ path: pathOf(place), found });
  return instead;
}
