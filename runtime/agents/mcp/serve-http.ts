/** Serves MCP over HTTP on this machine alone: who asks needs the token, and no page of a browser gets in by a name of its own. */
import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServerFactory,
  originValidationResponse,
} from "@modelcontextprotocol/server";

/** A server that listens. */
export interface HttpServing {
  /** `http://127.0.0.1:PORT/mcp` */
  readonly url: string;
  close(): Promise<void>;
}

/** The arguments of `serveHttp`. */
export type ServedHttp = Parameters<typeof serveHttp>;

/** Bytes of a request's body; more is answered with 413. */
const BODY_MAX = 4 * 1024 * 1024;

/** Listens on a port of the loopback interface, 0 for a free one. Throws where it is taken. */
export async function serveHttp(
  factory: McpServerFactory,
  { port, token, tell }: { port: number; token: string; tell: (line: string) => void },
): Promise<HttpServing> {
  const handler = createMcpHandler(factory, {
    maxRequestBodySize: BODY_MAX,
    onerror: ({ message }) => tell(`madrigal mcp: ${message}`),
  });
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((thrown: unknown) => {
      tell(`madrigal mcp: ${thrown instanceof Error ? thrown.message : thrown}`);
      outgoing.destroy();
    });
  });
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    const request = requestOf(incoming, gone.signal);
    const response = refusal(request, token) ?? notHere(request) ?? (await handler.fetch(request));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) outgoing.end();
    else
      Readable.fromWeb(response.body as ReadableStream)
        .on("error", () => {})
        .pipe(outgoing);
  };
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    close: async () => {
      await handler.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The request as the web knows it; `signal` tells that whoever asked is gone. */
export function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", url = "/", headers } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, "http://127.0.0.1"), {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, `${value}`]),
    signal,
    ...(hasBody
      ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: "half" }
      : {}),
  } as RequestInit);
}

/** Looked at in this order: the name it was asked by, the page that asks, the token. */
function refusal(request: Request, token: string): Response | undefined {
  return refusedPlace(request) ?? refusedToken(request, token);
}

/** The answer to a request by another name than those of this machine, or from the page of another site. */
export function refusedPlace(request: Request): Response | undefined {
  return (
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins())
  );
}

/** The answer to a request without the token. */
export function refusedToken(request: Request, token: string): Response | undefined {
  const [, given = ""] = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (!isToken(given, token))
    return new Response("a token is needed: Authorization: Bearer TOKEN", {
      status: 401,
      headers: { "www-authenticate": "Bearer" },
    });
  return undefined;
}

function notHere(request: Request): Response | undefined {
  const isHere = new URL(request.url).pathname === "/mcp";
  return isHere ? undefined : new Response("not here", { status: 404 });
}

/** Returns whether a text is the token, after the same time for any text. */
export function isToken(given: string, token: string): boolean {
  return timingSafeEqual(hashOf(given), hashOf(token));
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
