/** Derives the type and the JSON Schema of a node's output from its writes. */
import { findByName } from "../ir/find-by-name.ts";
import type { ExprIr, FieldIr, NodeIr, TypeIr, WriteIr } from "../ir/ir.ts";
import { type SchemaResult, toJsonSchema } from "../ir/json-schema.ts";
import { resolveType, type TypeTable } from "../ir/types.ts";
import { NODE_KINDS } from "../vocabulary/node-kinds.ts";

/** The part of a node that says what its output is. */
type WritingNode = Pick<NodeIr, "kind" | "writes">;

/**
 * Returns the JSON Schema of a node's output: the type of the one field it writes, or an object of
 * all that it writes. `writes f = result.part` asks for a member `part` of f's type; any other
 * `writes f = e` is computed and asks for nothing. Undefined where nothing is asked. A model or a
 * person whose one write is to a growing list of texts is asked for a text: one item of it.
 */
export function outputOf(
  node: WritingNode,
  fields: readonly FieldIr[],
  types: TypeTable,
): SchemaResult | undefined {
  const asked = outputTypeOf(node, fields, types);
  return asked && toJsonSchema(asked, types, { givesFiles: node.kind === "human" });
}

/** The same as a type: what a script of a test must fit. */
export function outputTypeOf(
  node: WritingNode,
  fields: readonly FieldIr[],
  types: TypeTable,
): TypeIr | undefined {
  const asked = node.writes.flatMap((write) => askedMember(write, fields) ?? []);
  const [only] = asked;
  if (only === undefined) return undefined;
  if (node.writes.length > 1 || only.fromMember)
    return {
      kind: "object",
      members: asked.map(({ name, optional, type }) => ({ name, optional, type })),
    };
  if (only.optional) return orNull(only.type);
  return isAsked(node) && isTextList(node.writes[0], fields, types) ? TEXT : only.type;
}

const TEXT: TypeIr = { kind: "named", name: "string", args: [] };

/** Returns whether the output is what a model or a person says, and not what a function returns. */
function isAsked({ kind }: WritingNode): boolean {
  const { worker } = NODE_KINDS[kind];
  return worker !== "function" && worker !== "graph";
}

/** Returns whether the write appends to a list of texts; a `union` is a set, of which a model may well name none or several. */
function isTextList(
  write: WriteIr | undefined,
  fields: readonly FieldIr[],
  types: TypeTable,
): boolean {
  const field = write && findByName(fields, write.field);
  if (field === undefined) return false;
  const list = resolveType(field.type, types);
  const item = list?.kind === "array" ? resolveType(list.of, types) : undefined;
  if (item?.kind !== "named" || item.name !== "string") return false;
  return (write?.via ?? field.reducer).name === "append";
}

interface AskedMember {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeIr;
  readonly fromMember: boolean;
}

function askedMember(write: WriteIr, fields: readonly FieldIr[]): AskedMember | undefined {
  const field = findByName(fields, write.field);
  if (field === undefined) return undefined;
  const { optional } = write;
  if (write.value === undefined)
    return { name: field.name, optional, type: field.type, fromMember: false };
  const name = memberOfResult(write.value);
  return name === undefined ? undefined : { name, optional, type: field.type, fromMember: true };
}

/**
 * Returns the member of the output that `writes f = result.part` takes; undefined for any other
 * expression.
 */
export function memberOfResult(value: ExprIr): string | undefined {
  if (value.kind !== "member" || value.object.kind !== "name") return undefined;
  const { name, of } = value.object;
  return name === "result" && of === "special" ? value.name : undefined;
}

function orNull(type: TypeIr): TypeIr {
  return { kind: "union", types: [type, { kind: "literal", value: null }] };
}
