/** Turns declarations from another file into entries of the importing file's tables. */
import type { FieldIr, Ir, MemoryIr, ParamIr, TypeIr } from "../ir/ir.ts";
import type { TypeTable } from "../ir/types.ts";
import type { ConfigEntry } from "../names/symbol-tables.ts";
import type {
  ExprAst,
  FieldDecl,
  GraphDecl,
  McpDecl,
  MemoryDecl,
  ModelDecl,
  Name,
  Param,
  TypeAst,
} from "../syntax/tree/ast.ts";

export function raisedModel(name: Name): ModelDecl {
  return { kind: "model", name, value: someValue(name), span: name.span };
}

export function raisedMcp(name: Name): McpDecl {
  return { kind: "mcp", name, value: someValue(name), optional: false, span: name.span };
}

export function raisedMemory(name: Name, { type }: MemoryIr): MemoryDecl {
  return { kind: "memory", name, type: raisedType(type, name), span: name.span };
}

export function raisedEntry(name: Name): ConfigEntry {
  return { key: name, value: someValue(name) };
}

/**
 * The head of a graph with its results as fields; the types of its own file are spelled out, as this file has no names for them.
 * A type that its file imports from TypeScript is `unknown` here.
 */
export function raisedGraph(
  name: Name,
  ir: Pick<Ir, "params" | "returns" | "types" | "fields"> & Partial<Pick<Ir, "imports">>,
): GraphDecl {
  const { span } = name;
  const results = ir.fields.filter((field) => ir.returns.includes(field.name));
  const types = new Map([
    ...(ir.imports ?? []).map(({ as }) => [as, UNKNOWN] as const),
    ...ir.types.map((one) => [one.name, one.type] as const),
  ]);
  return {
    kind: "graph",
    name,
    params: ir.params.map((param) => raisedParam(param, name, types)),
    returns: ir.returns.map((text) => ({ text, span })),
    items: [
      {
        kind: "state",
        scope: "run",
        fields: results.map((field) => raisedField(field, name, types)),
        span,
      },
    ],
    span,
  };
}

const UNKNOWN: TypeIr = { kind: "named", name: "unknown", args: [] };

function raisedParam(param: ParamIr, at: Name, types: TypeTable): Param {
  return {
    name: { text: param.name, span: at.span },
    optional: param.optional,
    type: raisedType(spelledOut(param.type, types), at),
    ...(param.default === undefined ? {} : { value: someValue(at) }),
    span: at.span,
  };
}

function raisedField(field: FieldIr, at: Name, types: TypeTable): FieldDecl {
  const { span } = at;
  const type = raisedType(spelledOut(field.type, types), at);
  return { name: { text: field.name, span }, optional: field.optional, type, span };
}

/** A type without the names of its file; where it contains itself, nothing is known. */
export function spelledOut(type: TypeIr, types: TypeTable, around: readonly string[] = []): TypeIr {
  const inner = (one: TypeIr) => spelledOut(one, types, around);
  switch (type.kind) {
    case "named": {
      const meant = types.get(type.name);
      if (meant === undefined) return { ...type, args: type.args.map(inner) };
      if (around.includes(type.name)) return UNKNOWN;
      return spelledOut(meant, types, [...around, type.name]);
    }
    case "literal":
      return type;
    case "array":
      return { ...type, of: inner(type.of) };
    case "object":
      return {
        ...type,
        members: type.members.map((member) => ({ ...member, type: inner(member.type) })),
      };
    case "tuple":
    case "union":
      return { ...type, types: type.types.map(inner) };
  }
}

function raisedType(type: TypeIr, at: Name): TypeAst {
  const { span } = at;
  const inner = (one: TypeIr) => raisedType(one, at);
  switch (type.kind) {
    case "named": {
      const parts = type.name.split(".").map((text) => ({ text, span }));
      return {
        kind: "named",
        name: { parts, star: false, span },
        args: type.args.map(inner),
        span,
      };
    }
    case "literal":
      return { kind: "literal-type", value: type.value, span };
    case "array":
      return { kind: "array-type", of: inner(type.of), span };
    case "object": {
      const members = type.members.map(({ name, optional, type: of }) => ({
        name: { text: name, span },
        optional,
        type: inner(of),
      }));
      return { kind: "object-type", members, span };
    }
    case "tuple":
      return { kind: "tuple-type", types: type.types.map(inner), span };
    case "union":
      return { kind: "union-type", types: type.types.map(inner), span };
  }
}

/** A value stands there, and nobody here asks which. */
function someValue({ span }: Name): ExprAst {
  return { kind: "null", span };
}
