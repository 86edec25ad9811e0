/** Receives spans over HTTP on this machine only, as OTLP in JSON at `/v1/traces`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { messageOf, RunError } from "../../../failure.ts";
import {
  bytesOf,
  isFromHere,
  isSame,
  listenHere,
  parsed,
  RequestRefusal,
  reply,
  tooBig,
} from "./loopback.ts";
import { isOtlp, type ReadSpans, readOtlp } from "./read-otlp.ts";

/** The result of one request with spans. */
export interface SpansTaken {
  readonly rejected: number;
  readonly reason?: string;
}

export interface EndpointOptions {
  /** 4318 is OpenTelemetry's own; without one, any that is free. */
  readonly port?: number;
  /** The token that senders must give: `Authorization: Bearer TOKEN`. */
  readonly token?: string;
  /** Keeps the spans of a request; what it throws is answered with 500. */
  readonly take: (read: ReadSpans) => Promise<SpansTaken>;
}

export interface Endpoint {
  /** The address for exporters: `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  close(): Promise<void>;
}

const PATH = "/v1/traces";
const BODY_MAX = 64 * 1024 * 1024;

/** Listens until it is closed; M5436 where it can't. */
export async function openEndpoint(options: EndpointOptions): Promise<Endpoint> {
  const wanted = options.port ?? 0;
  const { port, close } = await listenHere((request, response) => {
    void answer(request, response, options);
  }, wanted).catch((cause) => {
    throw unopened(wanted, cause);
  });
  return { url: `http://127.0.0.1:${port}`, close };
}

function unopened(port: number, cause: unknown): RunError {
  return new RunError("M5436", `no endpoint at 127.0.0.1:${port}: ${messageOf(cause)}`, {
    hint: "name another port, or none",
    cause,
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: EndpointOptions,
): Promise<void> {
  try {
    assertAllowed(request, options);
    const { rejected, reason } = await options.take(readOtlp(await bodyOf(request)));
    const partial = { rejectedSpans: String(rejected), errorMessage: reason ?? "" };
    reply(response, 200, rejected > 0 ? { partialSuccess: partial } : {});
  } catch (error) {
    const status = error instanceof RequestRefusal ? error.status : 500;
    // `code` is that of gRPC: what is wrong with the request, or with us.
    reply(response, status, { code: status < 500 ? 3 : 13, message: messageOf(error) });
    request.resume();
  }
}

/** A page in a browser can neither say that its text is JSON (that needs our leave) nor reach us by a name of its own. */
function assertAllowed(request: IncomingMessage, { token }: EndpointOptions): void {
  const { authorization = "" } = request.headers;
  if (!isFromHere(request)) {
    throw new RequestRefusal("only programs on this machine may send spans, and no web pages", {
      status: 403,
    });
  }
  if (new URL(request.url ?? "/", "http://localhost").pathname !== PATH) {
    throw new RequestRefusal(`spans are taken at ${PATH}`, { status: 404 });
  }
  if (request.method !== "POST") throw new RequestRefusal("spans are posted", { status: 405 });
  if (token !== undefined && !isSame(authorization, `Bearer ${token}`)) {
    throw new RequestRefusal(
      "this endpoint wants its token: OTEL_EXPORTER_OTLP_HEADERS=Authorization=Bearer%20TOKEN",
      { status: 401 },
    );
  }
  const [type] = (request.headers["content-type"] ?? "").split(";", 1);
  if (type?.trim().toLowerCase() !== "application/json") {
    throw new RequestRefusal(
      `OTLP is taken as JSON, not as ${type || "whatever this is"}: set OTEL_EXPORTER_OTLP_PROTOCOL=http/json`,
      { status: 415 },
    );
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const bytes = await unpacked(
    await bytesOf(request, BODY_MAX),
    request.headers["content-encoding"],
  );
  const body = parsed(bytes.toString("utf8"));
  if (!isOtlp(body))
    throw new RequestRefusal("the body is no export request: it has no resourceSpans", {
      status: 400,
    });
  return body;
}

async function unpacked(bytes: Buffer, encoding = "identity"): Promise<Buffer> {
  if (encoding === "identity") return bytes;
  if (encoding !== "gzip")
    throw new RequestRefusal(`no encoding but gzip is known, and not ${encoding}`, { status: 415 });
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: BODY_MAX });
  } catch (error) {
    if (error instanceof RangeError) throw tooBig(BODY_MAX, error);
    throw new RequestRefusal(`the body is no gzip: ${messageOf(error)}`, {
      status: 400,
      cause: error,
    });
  }
}
