/** Lists the operations of a description as plain data, which the log keeps: names, schemas, and how each is sent. */
import { canonicalJson, isRecord, type JsonSchema, sha256 } from "../../../dsl/index.ts";
import { freeMember } from "../mcp/server-offer.ts";
import { ApiSchemas } from "./api-schema.ts";
import { type ApiBody, readBody } from "./operation-body.ts";
import { type ApiCredential, credentialOf } from "./operation-credential.ts";
import { type ApiParameter, parametersOf } from "./operation-parameters.ts";
import {
  type ApiDescription,
  DescriptionFault,
  type DescriptionPart,
  resolved,
} from "./read-description.ts";

/** An operation of an API: all that a call of it needs. */
export interface ApiOperation {
  /** The name that a program writes behind that of the API. */
  readonly member: string;
  /** `GET /forecast/{city}`. */
  readonly name: string;
  readonly method: HttpMethod;
  readonly path: string;
  /** The address that the path is added to. */
  readonly server: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly parameters: readonly ApiParameter[];
  readonly body?: ApiBody;
  readonly answers: readonly ApiAnswer[];
  /** The place that a secret is sent at; absent where the operation needs none. */
  readonly credential?: ApiCredential;
  /** The sha256 of all of it: another description or schema is another tool. */
  readonly hash: string;
}

/** An answer that the description foresees: `200`, `2XX`, `default`. */
export interface ApiAnswer {
  readonly status: string;
  /** The schema of a JSON answer. */
  readonly schema?: JsonSchema;
}

export const METHODS = ["GET", "HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE"] as const;
export type HttpMethod = (typeof METHODS)[number];

/** Returns whether a method only reads, as HTTP defines it. */
export function isReading(method: HttpMethod): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

/** The address of the API where its declaration says one, and that of the description where it was read from one. */
export interface ApiPlace {
  readonly url?: string | undefined;
  readonly from?: string | undefined;
}

const OPERATIONS_MAX = 5_000;
const DESCRIPTION_CHARS_MAX = 2_000;

/** Lists all operations, in the order of the text. Throws a `DescriptionFault` at the first that can't be called. */
export function listOperations(
  description: ApiDescription,
  place: ApiPlace,
): readonly ApiOperation[] {
  const { root } = description;
  const taken = new Set<string>();
  const found: ApiOperation[] = [];
  for (const [path, item] of Object.entries(root.paths as DescriptionPart)) {
    if (path.startsWith("x-")) continue;
    const around = resolved(item, root, ["paths", path]);
    for (const method of METHODS) {
      const own = around[method.toLowerCase()];
      if (own === undefined) continue;
      if (found.length >= OPERATIONS_MAX)
        throw new DescriptionFault(`it has more than ${OPERATIONS_MAX} operations`);
      const at = ["paths", path, method.toLowerCase()];
      const operation = readOperation(description, place, {
        ...{ path, method, around, at },
        own: resolved(own, root, at),
        taken,
      });
      taken.add(operation.member);
      found.push(operation);
    }
  }
  if (found.length === 0) throw new DescriptionFault("it has no operations", { path: ["paths"] });
  return found;
}

interface OperationAt {
  readonly path: string;
  readonly method: HttpMethod;
  readonly around: DescriptionPart;
  readonly own: DescriptionPart;
  readonly at: readonly string[];
  readonly taken: ReadonlySet<string>;
}

function readOperation(
  description: ApiDescription,
  place: ApiPlace,
  { path, method, around, own, at, taken }: OperationAt,
): ApiOperation {
  const { root } = description;
  const { operationId } = own;
  const name = `${method} ${path}`;
  const called = typeof operationId === "string" && operationId !== "" ? operationId : name;
  const sent = new ApiSchemas(description, "sent");
  const { parameters, properties, required } = parametersOf(
    { around: around.parameters, own: own.parameters, path, at },
    { root, schemas: sent },
  );
  const body = readBody(own.requestBody, {
    root,
    schemas: sent,
    at,
    taken: Object.keys(properties),
  });
  const credential = credentialOf(own.security ?? root.security, root);
  const input = {
    type: "object",
    properties: {
      ...properties,
      ...(body === undefined ? {} : { [body.plan.member]: body.schema }),
    },
    required: [...required, ...(body?.isRequired === true ? [body.plan.member] : [])],
    additionalProperties: false,
    ...sent.definitions,
  };
  const operation = {
    member: freeMember(called.replace(/[{}]/g, "").replace(/\W+/g, "_").replace(/_$/, ""), taken),
    name,
    method,
    path,
    server: serverOf([own.servers, around.servers, root.servers], place, at),
    description: describeOperation(own, name),
    input,
    parameters,
    ...(body === undefined ? {} : { body: body.plan }),
    answers: answersOf(own.responses, description, at),
    ...(credential === undefined ? {} : { credential }),
  };
  return { ...operation, hash: sha256(canonicalJson(JSON.parse(JSON.stringify(operation)))) };
}

/** The text by which a model decides: what the description says, and what the operation is. */
function describeOperation(
  { summary, description, deprecated }: DescriptionPart,
  name: string,
): string {
  const texts = [summary, description].filter((one) => typeof one === "string" && one !== "");
  const warning = deprecated === true ? "Deprecated: take another operation if one does it. " : "";
  return `${warning}${texts.join("\n\n")}`.slice(0, DESCRIPTION_CHARS_MAX).trim() || name;
}

function serverOf(
  lists: readonly unknown[],
  { url, from }: ApiPlace,
  at: readonly string[],
): string {
  if (url !== undefined) return url;
  const list = lists.find((one) => Array.isArray(one) && one.length > 0) as unknown[] | undefined;
  const [server] = list ?? [{ url: "/" }];
  const { url: written = "/", variables } = isRecord(server) ? server : {};
  const filled = String(written).replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = isRecord(variables) ? variables[name] : undefined;
    return isRecord(variable) && variable.default !== undefined ? String(variable.default) : whole;
  });
  if (URL.canParse(filled, from)) return new URL(filled, from).href;
  throw new DescriptionFault(`\`${filled}\` is no whole address`, {
    path: list === undefined ? ["servers"] : list === lists[2] ? ["servers", 0, "url"] : at,
    hint: 'write where the API is: `openapi x = "…" { url: "https://…" }`',
  });
}

function answersOf(
  responses: unknown,
  description: ApiDescription,
  at: readonly string[],
): readonly ApiAnswer[] {
  if (!isRecord(responses)) return [];
  return Object.entries(responses).flatMap(([status, response]) => {
    // The model is told the text of a failure.
    if (!/^(2..|default)$/i.test(status)) return [];
    const path = [...at, "responses", status];
    const { content } = resolved(response, description.root, path);
    const json = isRecord(content) ? jsonOf(content) : undefined;
    if (json === undefined) return [{ status: status.toUpperCase() }];
    const schemas = new ApiSchemas(description, "received");
    const schema = schemas.convert(json.schema, [...path, "content", json.media, "schema"]);
    return [{ status: status.toUpperCase(), schema: { ...schema, ...schemas.definitions } }];
  });
}

function jsonOf(content: DescriptionPart) {
  const found = Object.entries(content).find(([media]) => isJson(media));
  if (found === undefined || !isRecord(found[1]) || found[1].schema === undefined) return undefined;
  return { media: found[0], schema: found[1].schema };
}

/** Returns whether a media type is JSON: `application/json`, `application/problem+json`. */
export function isJson(media: string): boolean {
  return /^[\w.+-]+\/(?:[\w.-]+\+)?json\b/i.test(media.trim());
}

/** The parameter by which an API tells the same call made again. */
export function idempotencyParameter({ parameters }: ApiOperation): string | undefined {
  return parameters.find((one) => one.in === "header" && /^idempotency-key$/i.test(one.name))
    ?.member;
}

/** Returns what a caller gives an operation: the key that names a call is ours to choose. */
export function withoutKey(operation: ApiOperation): ApiOperation["input"] {
  const { input } = operation;
  const key = idempotencyParameter(operation);
  if (key === undefined) return input;
  const { [key]: _, ...properties } = input.properties as Readonly<Record<string, unknown>>;
  const required = (input.required as readonly string[]).filter((name) => name !== key);
  return { ...input, properties, required };
}
