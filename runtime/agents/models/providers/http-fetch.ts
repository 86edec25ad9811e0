/** Fetches by Node's HTTP client: with the web streams of `fetch`, a call of a model takes three times the processor time. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createInflate, createUnzip } from "node:zlib";

/** A request of the kind that packages of providers make. */
export interface HttpCall {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The longest silence of a server, in milliseconds; that of `fetch`. */
const SILENCE_MAX_MS = 300_000;

/** The statuses whose answers have no body. */
const BODILESS: readonly number[] = [204, 205, 304];

/** By the word of the header `content-encoding`. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  "x-gzip": createUnzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Reads arguments of `fetch`; `undefined` where they are none of an `HttpCall`, as with a form or a `Request`. */
export function httpCallOf(
  input: Parameters<typeof globalThis.fetch>[0],
  { method = "GET", headers, body, signal }: RequestInit = {},
): HttpCall | undefined {
  if (input instanceof Request) return undefined;
  const isPlain = body === undefined || body === null || typeof body === "string";
  if (!isPlain && !(body instanceof Uint8Array)) return undefined;
  const url = typeof input === "string" ? new URL(input) : input;
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  const sent = new Headers(headers);
  if (!sent.has("accept")) sent.set("accept", "*/*");
  if (!sent.has("accept-encoding")) sent.set("accept-encoding", "gzip, deflate, br");
  return { url, method, headers: sent, body: body ?? undefined, signal: signal ?? undefined };
}

/**
 * Makes one request and resolves with its answer as `fetch` does, a redirect too: it follows none. `take` is told of the
 * bytes of each piece before it is handed on; what it throws ends the answer. Rejects like `fetch`: with the reason of the
 * signal, or with a `TypeError` whose cause is the fault of the connection.
 */
export function httpFetch(call: HttpCall, take: (bytes: number) => void): Promise<Response> {
  const { url, method, headers, body, signal } = call;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const make = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request = make(url, {
      method,
      headers: Object.fromEntries(headers),
      timeout: SILENCE_MAX_MS,
    });
    const stop = () => request.destroy(reasonOf(signal));
    signal?.addEventListener("abort", stop, { once: true });
    const over = () => signal?.removeEventListener("abort", stop);
    request.once("close", over);
    request.once("timeout", () => request.destroy(new Error(`silent for ${SILENCE_MAX_MS} ms`)));
    request.on("error", (error) => reject(faultOf("fetch failed", error, signal)));
    request.once("response", (response) => {
      resolve(answerOf(request, response, { signal, take }));
    });
    request.end(body);
  });
}

interface Reading {
  readonly signal: AbortSignal | undefined;
  readonly take: (bytes: number) => void;
}

function answerOf(request: ClientRequest, response: IncomingMessage, reading: Reading): Response {
  const { statusCode: status = 200, statusMessage: statusText = "", rawHeaders } = response;
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.push([rawHeaders[at] ?? "", rawHeaders[at + 1] ?? ""]);
  const init = { status, statusText, headers };
  if (BODILESS.includes(status)) {
    response.resume();
    return new Response(null, init);
  }
  const decoder = DECODERS[response.headers["content-encoding"]?.toLowerCase() ?? ""]?.();
  // A pipeline tells its last stream of every fault.
  const plain = decoder === undefined ? response : pipeline(response, decoder, () => undefined);
  return new Response(bodyOf(request, plain, reading), init);
}

function bodyOf(
  request: ClientRequest,
  response: Readable,
  { signal, take }: Reading,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      let isOver = false;
      const fail = (thrown: unknown) => {
        isOver = true;
        controller.error(thrown);
        request.destroy();
      };
      const cut = (error: Error) => {
        if (!isOver) fail(faultOf("terminated", error, signal));
      };
      response.on("data", (piece: Uint8Array) => {
        if (isOver) return;
        try {
          take(piece.byteLength);
        } catch (thrown) {
          fail(thrown);
          return;
        }
        controller.enqueue(piece);
        if ((controller.desiredSize ?? 0) <= 0) response.pause();
      });
      response.once("end", () => {
        if (isOver) return;
        isOver = true;
        controller.close();
      });
      response.on("error", cut);
    },
    pull: () => void response.resume(),
    cancel: () => void request.destroy(),
  });
}

function faultOf(message: string, cause: Error, signal: AbortSignal | undefined): unknown {
  return signal?.aborted === true ? signal.reason : new TypeError(message, { cause });
}

/** The reason of an abort as an error, which a request can be destroyed with. */
function reasonOf(signal: AbortSignal | undefined): Error | undefined {
  return signal?.reason instanceof Error ? signal.reason : undefined;
}
