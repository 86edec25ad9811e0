/** Describes the server in OpenAPI 3.1, from its operations and the schemas of its graphs. */
import { isRecord, type JsonSchema } from "../../dsl/index.ts";
import type { Operation } from "./operation.ts";
import { ROLES, rolesWith } from "./roles.ts";

export function openApi(operations: readonly Operation[]): Readonly<Record<string, unknown>> {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return {
    openapi: "3.1.0",
    info: {
      title: "Madrigal",
      version: "1",
      description: `Graphs of agents: starts, follows and answers their runs. Roles: ${ROLES.join(", ")}.`,
    },
    security: [{ token: [] }],
    paths: Object.fromEntries(
      [...byPath].map(([path, all]) => [
        path,
        Object.fromEntries(all.map((one) => [one.method.toLowerCase(), described(one)])),
      ]),
    ),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Error: ERROR },
    },
  };
}

const ERROR: JsonSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: {
        code: { type: "string", description: "`madrigal explain CODE` says more" },
        message: { type: "string" },
        hint: { type: "string" },
      },
    },
  },
};

function described(operation: Operation): Readonly<Record<string, unknown>> {
  const { id, path, method, right, summary, query = {}, takesKey, gives, takesFiles } = operation;
  const body = operation.shownBody ?? operation.body;
  const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const root = `#/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method.toLowerCase()}/requestBody/content/application~1json/schema`;
  const content =
    typeof gives === "string" ? { [gives]: {} } : { "application/json": { schema: gives } };
  return {
    operationId: id,
    summary,
    "x-roles": rolesWith(right),
    parameters: [
      ...parts.map((name) => parameter(name, "path", STRING)),
      ...Object.entries(query).map(([name, schema]) => parameter(name, "query", schema)),
      ...(takesKey === true ? [parameter("Idempotency-Key", "header", KEY)] : []),
      ...(gives === "text/event-stream" ? [parameter("Last-Event-ID", "header", STRING)] : []),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: takesFiles
              ? { "multipart/form-data": { schema: withFiles(body) } }
              : { "application/json": { schema: withRootedReferences(body, root) } },
          },
        }),
    responses: {
      "2XX": { description: "done", content },
      default: {
        description: "an error, by its code",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

/** A form with files, each a part called `file`. */
function withFiles(fields: JsonSchema): JsonSchema {
  const file = { type: "array", minItems: 1, items: { type: "string", format: "binary" } };
  const properties = isRecord(fields.properties) ? fields.properties : {};
  return { ...fields, properties: { file, ...properties }, required: ["file"] };
}

const STRING: JsonSchema = { type: "string" };
/** The caller's own name of a request. */
export const KEY: JsonSchema = { type: "string", minLength: 1, maxLength: 200 };

function parameter(name: string, where: string, schema: JsonSchema) {
  return { name, in: where, schema, ...(where === "path" ? { required: true } : {}) };
}

/** References lead from the schema that has them; in the description they lead from its top. */
function withRootedReferences(schema: JsonSchema, root: string): JsonSchema {
  const { properties } = schema;
  if (!isRecord(properties)) return schema;
  const moved = Object.entries(properties).map(([name, part]) => [
    name,
    withPrefix(part, `${root}/properties/${name}`),
  ]);
  return { ...schema, properties: Object.fromEntries(moved) };
}

function withPrefix(value: unknown, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withPrefix(item, prefix));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, part]) => {
    const isReference = name === "$ref" && typeof part === "string" && part.startsWith("#/");
    return [name, isReference ? `${prefix}${part.slice(1)}` : withPrefix(part, prefix)] as const;
  });
  return Object.fromEntries(members);
}
