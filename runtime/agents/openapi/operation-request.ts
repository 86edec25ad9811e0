/** Makes the HTTP request of one call: arguments stand where the description says, and lead nowhere else. */
import { isRecord } from "../../../dsl/index.ts";
import { FailureError } from "../../failure.ts";
import type { ApiBody } from "./operation-body.ts";
import type { ApiCredential } from "./operation-credential.ts";
import type { ApiParameter } from "./operation-parameters.ts";
import type { ApiOperation } from "./operations.ts";

/** A request as it is sent. */
export interface ApiRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** The arguments of a call, and what is sent beside them. */
export interface ApiCall {
  readonly input: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret?: string | undefined;
}

/** Throws M8418 for arguments that can't be sent. */
export async function operationRequest(
  operation: ApiOperation,
  { input, headers, secret }: ApiCall,
): Promise<ApiRequest> {
  const given = operation.parameters.filter(({ member }) => input[member] !== undefined);
  const of = (where: ApiParameter["in"]) => given.filter((one) => one.in === where);
  const url = addressOf(operation, of("path"), input);
  const own = new URLSearchParams(url.search);
  const query = [
    ...[...own].map(([name, value]) => `${encode(name)}=${encode(value)}`),
    ...of("query").flatMap((one) => queryPairs(one, input[one.member])),
  ];
  const cookies = of("cookie").flatMap((one) => queryPairs(one, input[one.member]));
  const sent: Record<string, string> = { accept: "application/json, */*;q=0.5" };
  for (const one of of("header")) sent[one.name] = headerText(operation, one, input[one.member]);
  for (const [name, value] of Object.entries(headers)) set(sent, name, value);
  if (secret !== undefined && operation.credential !== undefined)
    addSecret(operation.credential, secret, { query, cookies, sent });
  if (cookies.length > 0) set(sent, "cookie", cookies.join("; "));
  url.search = query.join("&");
  const body = await bodyOf(operation.body, input);
  if (body !== undefined) set(sent, "content-type", body.media);
  const { method } = operation;
  return { url, method, headers: sent, ...(body === undefined ? {} : { body: body.bytes }) };
}

// ── the address ─────────────────────────────────────────────────────────────────────────────────

function addressOf(
  operation: ApiOperation,
  parameters: readonly ApiParameter[],
  input: ApiCall["input"],
): URL {
  const base = new URL(operation.server);
  const path = operation.path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.name === name);
    const text = parameter === undefined ? "" : pathText(parameter, input[parameter.member]);
    if (text === "") throw notSent(operation, `\`${name}\` is empty, and stands in the path`);
    return text;
  });
  // A URL takes such steps away: the call would go to another path.
  if (path.split(/[/;]/).some((step) => /^(?:\.|%2e){1,2}$/i.test(step)))
    throw notSent(operation, "a step of the path would be `.` or `..`");
  const before = base.pathname.replace(/\/$/, "");
  const url = new URL(base);
  url.pathname = `${before}${path.startsWith("/") ? path : `/${path}`}`;
  return url;
}

function pathText({ name, style, explode, isJson }: ApiParameter, value: unknown): string {
  if (isJson) return encode(JSON.stringify(value));
  const parts = explode ? explodedParts(value) : flatParts(value);
  if (style === "simple") return parts.join(",");
  if (style === "label") return `.${parts.join(explode ? "." : ",")}`;
  if (isRecord(value) && explode) return `;${parts.join(";")}`;
  return explode && Array.isArray(value)
    ? parts.map((part) => `;${encode(name)}=${part}`).join("")
    : `;${encode(name)}=${parts.join(",")}`;
}

function queryPairs(
  { name, style, explode, isJson }: ApiParameter,
  value: unknown,
): readonly string[] {
  const key = encode(name);
  if (isJson) return [`${key}=${encode(JSON.stringify(value))}`];
  if (style === "deepObject") return deepPairs(key, value);
  if (explode && isRecord(value)) return explodedParts(value);
  if (explode && Array.isArray(value)) return flatParts(value).map((part) => `${key}=${part}`);
  const between = style === "spaceDelimited" ? "%20" : style === "pipeDelimited" ? "%7C" : ",";
  return [`${key}=${flatParts(value).join(between)}`];
}

function deepPairs(key: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => deepPairs(`${key}%5B%5D`, one));
  if (!isRecord(value)) return [`${key}=${encode(plainText(value))}`];
  return Object.entries(value).flatMap(([name, one]) =>
    deepPairs(`${key}%5B${encode(name)}%5D`, one),
  );
}

/** `a,1,b,2` of an object, the items of a list, or the text of anything else. */
function flatParts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map((one) => encode(plainText(one)));
  if (!isRecord(value)) return [encode(plainText(value))];
  return Object.entries(value).flatMap(([name, one]) => [encode(name), encode(plainText(one))]);
}

/** `a=1,b=2` of an object. */
function explodedParts(value: unknown): readonly string[] {
  if (!isRecord(value)) return flatParts(value);
  return Object.entries(value).map(([name, one]) => `${encode(name)}=${encode(plainText(one))}`);
}

function plainText(value: unknown): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Percent-encodes all but what RFC 3986 leaves as it is. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

// ── headers ─────────────────────────────────────────────────────────────────────────────────────

function headerText(
  operation: ApiOperation,
  { name, explode, isJson }: ApiParameter,
  value: unknown,
) {
  const parts =
    isRecord(value) && explode
      ? Object.entries(value).map(([key, one]) => `${key}=${plainText(one)}`)
      : listOf(value).map(plainText);
  const text = isJson ? JSON.stringify(value) : parts.join(",");
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text))
    throw notSent(operation, `\`${name}\` has characters that no header can hold`);
  return text;
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.entries(value).flat() : [value];
}

/** Sets a header in the place of one whose name differs in capitals alone. */
function set(headers: Record<string, string>, name: string, value: string): void {
  for (const known of Object.keys(headers))
    if (known.toLowerCase() === name.toLowerCase()) delete headers[known];
  headers[name] = value;
}

function addSecret(
  { in: where, name, scheme }: ApiCredential,
  secret: string,
  { query, cookies, sent }: { query: string[]; cookies: string[]; sent: Record<string, string> },
): void {
  if (where === "query") query.push(`${encode(name)}=${encode(secret)}`);
  else if (where === "cookie") cookies.push(`${encode(name)}=${encode(secret)}`);
  else if (scheme === "bearer") set(sent, name, `Bearer ${secret}`);
  else
    set(
      sent,
      name,
      scheme === "plain" ? secret : `Basic ${Buffer.from(secret).toString("base64")}`,
    );
}

// ── the body ────────────────────────────────────────────────────────────────────────────────────

async function bodyOf(
  plan: ApiBody | undefined,
  input: ApiCall["input"],
): Promise<{ readonly media: string; readonly bytes: Uint8Array } | undefined> {
  const value = plan === undefined ? undefined : input[plan.member];
  if (plan === undefined || value === undefined) return undefined;
  const { media, form } = plan;
  switch (form) {
    case "json":
      return { media, bytes: Buffer.from(JSON.stringify(value)) };
    case "text":
      return { media, bytes: Buffer.from(plainText(value)) };
    case "bytes":
      return { media, bytes: Buffer.from(plainText(value), "base64") };
    case "form": {
      const pairs = Object.entries(isRecord(value) ? value : {}).flatMap(([name, one]) =>
        (Array.isArray(one) ? one : [one]).map((item): [string, string] => [name, plainText(item)]),
      );
      return { media, bytes: Buffer.from(new URLSearchParams(pairs).toString()) };
    }
    case "multipart": {
      const sent = new Response(multipart(isRecord(value) ? value : {}, plan.files ?? []));
      const bytes = new Uint8Array(await sent.arrayBuffer());
      return { media: sent.headers.get("content-type") ?? media, bytes };
    }
  }
}

function multipart(value: Readonly<Record<string, unknown>>, files: readonly string[]): FormData {
  const data = new FormData();
  for (const [name, one] of Object.entries(value)) {
    for (const item of Array.isArray(one) ? one : [one]) {
      if (files.includes(name))
        data.append(name, new Blob([Buffer.from(plainText(item), "base64")]), name);
      else if (isRecord(item))
        data.append(name, new Blob([JSON.stringify(item)], { type: "application/json" }));
      else data.append(name, plainText(item));
    }
  }
  return data;
}

function notSent({ name }: ApiOperation, why: string): FailureError {
  return new FailureError({
    class: "tool",
    code: "M8418",
    message: `\`${name}\` can't be called with these arguments: ${why}`,
  });
}
