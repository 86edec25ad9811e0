/** Answers the requests to the server: looks at the place, the rate, the token and the role, then performs the operation. */
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import type { JsonSchema } from "../../dsl/index.ts";
import { jsonSchemas } from "../../runtime/index.ts";
import { counted } from "../display/visible.ts";
import { isRecord } from "../is-record.ts";
import { readBody } from "../read-body.ts";
import { OWN_ANSWER_HEADERS } from "../response-headers.ts";
import { assertMay, type RoleAccess } from "./access.ts";
import type { AppEnv } from "./app-env.ts";
import type { AuditLog } from "./audit-log.ts";
import { faultOf, faultResponse, HttpFault } from "./http-fault.ts";
import { KEY, openApi } from "./open-api.ts";
import type { Operation, OperationCall, OperationParts } from "./operation.ts";
import { readForm } from "./read-form.ts";
import type { RequestRate } from "./request-rate.ts";
import type { Role } from "./roles.ts";
import { type RunsPageParts, servePage } from "./server-page.ts";

export interface HttpAppParts extends OperationParts, RunsPageParts {
  readonly access: RoleAccess;
  readonly rate: RequestRate;
  /** For requests that have no token: another bucket, so that strangers take nothing from clients. */
  readonly strangers: RequestRate;
  readonly audit: AuditLog;
  readonly operations: readonly Operation[];
  readonly isEnding: () => boolean;
  readonly tell: (line: string) => void;
}

/** Bytes of a request's body; more is answered with 413. */
const BODY_MAX = 4 * 1024 * 1024;

const CLOSED = "default-src 'none'; frame-ancestors 'none'";

const NOTHING = new HttpFault(404, "M7783", "there is nothing at this address", {
  hint: "GET /openapi.json describes what there is",
});

export function httpApp(parts: HttpAppParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const description = openApi(parts.operations);
  app.use(async (context, next) => {
    await next();
    audit(context, parts.audit);
    if (context.res === RESPONSE_ALREADY_SENT) return;
    for (const [name, value] of Object.entries(OWN_ANSWER_HEADERS))
      context.res.headers.set(name, value);
    if (!context.res.headers.has("content-security-policy"))
      context.res.headers.set("content-security-policy", CLOSED);
    if (context.res.status === 413) context.res.headers.set("connection", "close");
  });
  app.onError((thrown, context) => {
    const fault = faultOf(thrown, parts.tell);
    context.set("code", fault.code);
    return faultResponse(fault);
  });
  app.notFound((context) => {
    context.set("code", NOTHING.code);
    return faultResponse(NOTHING);
  });
  app.use(async (context, next) => {
    parts.access.assertPlace(context.req.raw);
    await next();
  });
  app.get("/health", (context) =>
    context.json({ status: parts.isEnding() ? "ending" : "up" }, parts.isEnding() ? 503 : 200),
  );
  servePage(app, parts);
  app.use(async (context, next) => {
    context.set("role", identified(context, parts));
    await next();
  });
  app.get("/openapi.json", (context) => context.json(description));
  for (const operation of parts.operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    app.on(operation.method, path, (context) => perform(operation, context, parts));
  }
  return app;
}

/** Throws 401 or 429. */
function identified(context: Context<AppEnv>, { access, rate, strangers }: HttpAppParts): Role {
  try {
    const role = access.roleOf(context.req.raw);
    rate.take(role);
    return role;
  } catch (thrown) {
    if (thrown instanceof HttpFault && thrown.status === 401) strangers.take("");
    throw thrown;
  }
}

async function perform(
  operation: Operation,
  context: Context<AppEnv>,
  parts: HttpAppParts,
): Promise<Response> {
  assertMay(context.get("role"), operation.right);
  if (operation.method !== "GET" && parts.isEnding())
    throw new HttpFault(503, "M7784", "the server is ending", {
      hint: "ask the next one; runs under way go on there",
      headers: { "retry-after": "5" },
    });
  const { host, session, streams } = parts;
  const given = await operation.perform({
    ...{ host, session, streams },
    params: context.req.param() as Readonly<Record<string, string>>,
    query: queryOf(operation, context),
    ...(await contentOf(context.req.raw, operation)),
    role: context.get("role"),
    key: keyOf(context.req.raw, operation),
    request: context.req.raw,
    outgoing: context.env.outgoing,
  });
  if (given === undefined) return RESPONSE_ALREADY_SENT;
  return given instanceof Response ? given : Response.json(given);
}

/** A member of the query that nobody knows is a mistake, as a filter that does nothing would be. */
function queryOf({ query = {} }: Operation, context: Context<AppEnv>) {
  const given = Object.entries(context.req.query());
  const read = given.map(([name, text]) => {
    const schema = Object.hasOwn(query, name) ? query[name] : undefined;
    if (schema === undefined)
      throw wrong(
        `there is no \`${name.slice(0, 40)}\` in the query`,
        Object.keys(query).join(", "),
      );
    const value = schema.type === "integer" && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    assertFits(value, schema, `\`${name}\` of the query`);
    return [name, value] as const;
  });
  return Object.fromEntries(read);
}

/** Reads the body: JSON, or the fields and files of a form. */
async function contentOf(
  request: Request,
  { body, takesFiles }: Operation,
): Promise<Pick<OperationCall, "body" | "files">> {
  if (body === undefined) return { body: {}, files: [] };
  if (takesFiles !== true) return { body: await bodyOf(request, body), files: [] };
  const form = await readForm(request);
  assertFits(form.body, body, "the form");
  return form;
}

async function bodyOf(
  request: Request,
  schema: JsonSchema,
): Promise<Readonly<Record<string, unknown>>> {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? ""))
    throw new HttpFault(415, "M7782", "the body is JSON, and says so", {
      hint: "content-type: application/json",
    });
  const text = await limitedBody(request);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw wrong("the body is no JSON", "an object", cause);
  }
  assertFits(body, schema, "the body");
  if (!isRecord(body)) throw wrong("the body is no object");
  return body;
}

/** Throws 413, and for a body that did not come in time 408. */
export async function limitedBody(request: Request): Promise<string> {
  const tooLarge = new HttpFault(413, "M7781", `a body has at most ${counted(BODY_MAX, "byte")}`);
  if (Number(request.headers.get("content-length") ?? 0) > BODY_MAX) throw tooLarge;
  const text = await readBody(request, BODY_MAX).catch(() => {
    throw new HttpFault(408, "M7781", "the body did not come whole");
  });
  if (text === undefined) throw tooLarge;
  return text;
}

function keyOf(request: Request, { takesKey }: Operation): string | undefined {
  const key = takesKey === true ? request.headers.get("idempotency-key") : null;
  if (key === null) return undefined;
  assertFits(key, KEY, "Idempotency-Key");
  return key;
}

function assertFits(value: unknown, schema: JsonSchema, what: string): void {
  const [misfit] = jsonSchemas.misfits(value, schema);
  if (misfit !== undefined)
    throw wrong(`${what} does not fit: ${jsonSchemas.describeMisfit(misfit)}`);
}

function wrong(message: string, known = "", cause?: unknown): HttpFault {
  const hint =
    known === "" ? "GET /openapi.json describes what the server takes" : `it takes ${known}`;
  return new HttpFault(400, "M7782", message, { hint, cause });
}

/** Leaves out what changes nothing and was allowed: pages and streams look at runs all the time. */
function audit(context: Context<AppEnv>, log: AuditLog): void {
  const { method, path } = context.req;
  const { status } = context.res;
  const isLook = method === "GET" && status < 400;
  if (isLook) return;
  const code = context.get("code");
  const [, run] = /^\/runs\/([^/]+)/.exec(context.res.headers.get("location") ?? path) ?? [];
  log.write({
    role: context.get("role"),
    address: context.env.incoming.socket.remoteAddress,
    method,
    path: path.slice(0, 500),
    status,
    ...(code === undefined ? {} : { code }),
    ...(run === undefined ? {} : { run: run.slice(0, 100) }),
  });
}
