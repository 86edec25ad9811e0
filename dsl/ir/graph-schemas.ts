/** Says as JSON Schema what a graph takes. */
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

type ObjectMembers = Extract<TypeIr, { readonly kind: "object" }>["members"];

function objectSchema(members: ObjectMembers, types: Ir["types"]): JsonSchema {
  const known = new Map(types.map((one) => [one.name, one.type]));
  return toJsonSchema({ kind: "object", members }, known).schema;
}
