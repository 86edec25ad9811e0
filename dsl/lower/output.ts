/** Derives the type and the JSON Schema of a node's output from its writes. */
import { findByName } from "../ir/find-by-name.ts";
import type { ExprIr, FieldIr, NodeIr, TypeIr, WriteIr } from "../ir/ir.ts";
import { type SchemaResult, toJsonSchema } from "../ir/json-schema.ts";
import type { TypeTable } from "../ir/types.ts";

/**
 * Returns the JSON Schema of a node's output: the type of the one field it writes, or an object of
 * all that it writes. `writes f = result.part` asks for a member `part` of f's type; any other
 * `writes f = e` is computed and asks for nothing. Undefined where nothing is asked.
 */
export function outputOf(
  node: Pick<NodeIr, "writes">,
  fields: readonly FieldIr[],
  types: TypeTable,
): SchemaResult | undefined {
  const asked = outputTypeOf(node, fields);
  return asked && toJsonSchema(asked, types);
}

/** The same as a type: what a script of a test must fit. */
export function outputTypeOf(
  node: Pick<NodeIr, "writes">,
  fields: readonly FieldIr[],
): TypeIr | undefined {
  const asked = node.writes.flatMap((write) => askedMember(write, fields) ?? []);
  const [only] = asked;
  if (only === undefined) return undefined;
  if (node.writes.length > 1 || only.fromMember)
    return {
      kind: "object",
      members: asked.map(({ name, optional, type }) => ({ name, optional, type })),
    };
  return only.optional ? orNull(only.type) : only.type;
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
