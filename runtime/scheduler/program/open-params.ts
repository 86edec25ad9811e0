/** Finds the parameters of a target that its arrow gives no argument for: whoever hands work over to it gives them. */
import {
  type Ir,
  type JsonSchema,
  type ParamIr,
  type TargetIr,
  toJsonSchema,
} from "../../../dsl/index.ts";

/** The parameters of a node that an arrow to it leaves open, in the order of the node. */
export function openParams(
  params: readonly ParamIr[],
  { args }: Pick<TargetIr, "args">,
): readonly ParamIr[] {
  if (params.length === 0) return params;
  const given = new Set(args.map(({ label }, index) => label ?? params[index]?.name));
  return params.filter(({ name }) => !given.has(name));
}

/** Parameters as the JSON Schema of an object; those with a `?` or a default may be left out. */
export function paramsSchema(params: readonly ParamIr[], { types }: Pick<Ir, "types">): JsonSchema {
  const table = new Map(types.map(({ name, type }) => [name, type]));
  const schemas = params.map(({ name, type }) => [name, toJsonSchema(type, table).schema] as const);
  const required = params.filter((param) => !param.optional && param.default === undefined);
  return {
    type: "object",
    properties: Object.fromEntries(schemas),
    required: required.map(({ name }) => name),
    additionalProperties: false,
  };
}
