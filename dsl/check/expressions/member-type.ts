/** Derives the types of members, methods and items. */
import type { TypeIr } from "../../ir/ir.ts";
import { BOOLEAN, NUMBER, resolveType, STRING, type TypeTable } from "../../ir/types.ts";
import {
  arrayMethods,
  type MethodResult,
  numberMethods,
  stringMethods,
} from "../../vocabulary/methods.ts";

/**
 * The result of looking up a member: its type (undefined if that is not known), or that there is no
 * such member, with the names of those that there are.
 */
export type TypedMember =
  | { readonly kind: "type"; readonly type: TypeIr | undefined }
  | { readonly kind: "missing"; readonly candidates: readonly string[] };

/** A union may name itself; nobody writes one that goes deeper. */
const UNIONS_MAX = 5;

const UNKNOWN: TypedMember = { kind: "type", type: undefined };

/** The member `name` of a type. An optional or null value is taken as there: that it may not be is found at run time. */
export function memberOf(
  type: TypeIr | undefined,
  name: string,
  types: TypeTable,
  depth = 0,
): TypedMember {
  const shape = depth > UNIONS_MAX ? undefined : type && resolveType(type, types);
  switch (shape?.kind) {
    case "object":
      return memberOfObject(shape, name);
    case "array":
    case "tuple":
    case "literal":
      return only(
        "length",
        shape.kind === "literal" && typeof shape.value !== "string" ? undefined : NUMBER,
        name,
        shape,
      );
    case "union":
      return memberOfUnion(shape, name, types, depth);
    case "named":
      return memberOfNamed(shape, name);
    case undefined:
      return UNKNOWN;
  }
}

function memberOfObject(shape: TypeIr & { kind: "object" }, name: string): TypedMember {
  const member = shape.members.find((candidate) => candidate.name === name);
  if (member !== undefined) return { kind: "type", type: member.type };
  return { kind: "missing", candidates: shape.members.map((candidate) => candidate.name) };
}

function only(member: string, type: TypeIr | undefined, name: string, shape: TypeIr): TypedMember {
  if (type === undefined) return { kind: "missing", candidates: [] };
  if (name === member) return { kind: "type", type };
  return { kind: "missing", candidates: [member, ...Object.keys(methodsOf(shape) ?? {})] };
}

/** Missing only if no part has it: which part it is, the text does not say. */
function memberOfUnion(
  shape: TypeIr & { kind: "union" },
  name: string,
  types: TypeTable,
  depth: number,
): TypedMember {
  const parts = shape.types.filter((part) => part.kind !== "literal" || part.value !== null);
  const members = parts.map((part) => memberOf(part, name, types, depth + 1));
  const found = members.filter((member) => member.kind === "type");
  if (found.length === 1) return found[0] ?? UNKNOWN;
  if (found.length > 1) return UNKNOWN;
  const candidates = members.flatMap((member) =>
    member.kind === "missing" ? member.candidates : [],
  );
  return { kind: "missing", candidates };
}

function memberOfNamed(shape: TypeIr & { kind: "named" }, name: string): TypedMember {
  const value = shape.args[1];
  switch (shape.name) {
    case "string":
      return only("length", NUMBER, name, shape);
    case "number":
    case "int":
    case "boolean":
      return { kind: "missing", candidates: Object.keys(methodsOf(shape) ?? {}) };
    case "Record":
      return { kind: "type", type: value };
    default:
      return UNKNOWN;
  }
}

type Methods = Readonly<Record<string, MethodResult>>;

/** The methods that a value of this type has; undefined where its type is not known well enough. */
export function methodsOf(shape: TypeIr | undefined): Methods | undefined {
  switch (shape?.kind) {
    case "array":
    case "tuple":
      return arrayMethods;
    case "literal":
      return typeof shape.value === "string"
        ? stringMethods
        : typeof shape.value === "number"
          ? numberMethods
          : {};
    case "object":
      return {};
    case "named":
      if (shape.name === "string") return stringMethods;
      if (shape.name === "number" || shape.name === "int") return numberMethods;
      return shape.name === "boolean" ? {} : undefined;
    case "union":
      return shape.types.every((part) => methodsOf(part) === stringMethods)
        ? stringMethods
        : undefined;
    case undefined:
      return undefined;
  }
}

/** The type that a method gives back; `item` is what its callback returned. */
export function resultOf(
  result: MethodResult,
  object: TypeIr,
  callback: TypeIr | undefined,
): TypeIr | undefined {
  const item = elementOf(object);
  switch (result) {
    case "string":
      return STRING;
    case "number":
      return NUMBER;
    case "boolean":
      return BOOLEAN;
    case "strings":
      return { kind: "array", of: STRING };
    case "item":
      return item;
    case "same":
      return object;
    case "callback":
      return callback && { kind: "array", of: callback };
    case "unknown":
      return undefined;
  }
}

/**
 * Returns the type of the items of a list; undefined if the shape is no list, or a tuple of several
 * types.
 */
export function elementOf(shape: TypeIr | undefined): TypeIr | undefined {
  if (shape?.kind === "array") return shape.of;
  return shape?.kind === "tuple" && shape.types.length === 1 ? shape.types[0] : undefined;
}
