/** Says as JSON Schema what a graph takes and what it returns. */
import type { Ir, JsonSchema, TypeIr } from "./ir.ts";
import { toJsonSchema } from "./json-schema.ts";

/** The schema of the parameters of a graph: an object with a member for each; those with a default may be left out. */
export function parametersSchema({ params, types }: Pick<Ir, "params" | "types">): JsonSchema {
  const members = params.map(({ name, type, optional, default: otherwise }) => ({
    name,
    type,
    optional: optional || otherwise !== undefined,
  }));
  return objectSchema(members, types);
}

/** The schema of the output of a graph: an object with a member for each field that it returns. */
export function resultsSchema({
  returns,
  fields,
  types,
}: Pick<Ir, "returns" | "fields" | "types">): JsonSchema {
  const members = returns.flatMap((name) => {
    const field = fields.find((one) => one.name === name);
    return field === undefined ? [] : [{ name, type: field.type, optional: field.optional }];
  });
  return objectSchema(members, types);
}

type ObjectMembers = Extract<TypeIr, { readonly kind: "object" }>["members"];

function objectSchema(members: ObjectMembers, types: Ir["types"]): JsonSchema {
  const known = new Map(types.map((one) => [one.name, one.type]));
  return toJsonSchema({ kind: "object", members }, known).schema;
}
