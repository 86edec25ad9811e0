/** Makes one HTTP request that reaches permitted addresses only, with limits of time and size. */
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import {
  assertPublicHost,
  isDeclaredHost,
  type PrivateHosts,
  publicLookup,
  type ResolveName,
} from "./reachable-addresses.ts";
import { webError } from "./web-error.ts";

export interface GuardedRequestOptions {
  readonly privateHosts: PrivateHosts;
  /** Ends the request. */
  readonly signal: AbortSignal;
  /** In milliseconds, from the name of the host to the last byte. */
  readonly timeoutMs: number;
  /** The longest body, after it is decompressed. */
  readonly bytesMax: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST as JSON. */
  readonly json?: unknown;
  /** The method and the body of any other request; its headers say what the body is. */
  readonly method?: string;
  readonly body?: Uint8Array;
  /** Resolves names; that of the system by default. */
  readonly resolveName?: ResolveName;
}

/** An answer of a server; redirects are answers too. */
export interface WebAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The name by which servers and their robots.txt know the tools. */
export const USER_AGENT = "Madrigal";

/** Rejects with M8601 to M8604; the reason of `signal` where that is aborted. */
export async function requestGuarded(url: URL, options: GuardedRequestOptions): Promise<WebAnswer> {
  const isDeclared = isDeclaredHost(url, options.privateHosts);
  if (!isDeclared) assertPublicHost(url);
  options.signal.throwIfAborted();
  const timeout = AbortSignal.timeout(options.timeoutMs);
  try {
    return await send(url, {
      ...options,
      signal: AbortSignal.any([options.signal, timeout]),
      ...(isDeclared ? {} : { lookup: publicLookup(options.resolveName) }),
    });
  } catch (cause) {
    options.signal.throwIfAborted();
    if (timeout.aborted) throw outOfTime(url, options.timeoutMs);
    throw isCoded(cause) ? cause : notReached(url, cause);
  }
}

/** Throws M8600 for what is no address of a page. */
export function assertWebUrl(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const message = `\`${url.protocol}\` is no protocol of the web`;
    throw webError("M8600", { message, hint: "take an address that begins with http: or https:" });
  }
  if (url.username !== "" || url.password !== "") {
    const message = `the address of \`${url.host}\` holds a user or a password`;
    throw webError("M8600", { message, hint: "take it without" });
  }
}

async function send(
  url: URL,
  {
    signal,
    bytesMax,
    headers,
    json,
    method = json === undefined ? "GET" : "POST",
    body = json === undefined ? undefined : Buffer.from(JSON.stringify(json)),
    lookup,
  }: GuardedRequestOptions & { readonly lookup?: LookupFunction },
): Promise<WebAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WebAnswer>();
  const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
    method,
    // A connection that is kept would be used again without a look at its address.
    agent: false,
    signal,
    ...(lookup === undefined ? {} : { lookup }),
    headers: {
      "user-agent": USER_AGENT,
      "accept-encoding": "gzip, deflate, br",
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...(body === undefined ? {} : { "content-length": body.length }),
      ...headers,
    },
  });
  request.on("error", reject);
  request.on("response", (response) => {
    const { statusCode = 0, headers: received } = response;
    const plain = Object.fromEntries(
      Object.entries(received).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
      ),
    );
    readBody(response, { encoding: plain["content-encoding"], bytesMax, url }).then(
      (read) => resolve({ status: statusCode, headers: plain, body: read }),
      (error: unknown) => {
        request.destroy();
        reject(error);
      },
    );
  });
  request.end(body);
  return await promise;
}

const DECOMPRESS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

async function readBody(
  response: Readable,
  { encoding = "", bytesMax, url }: { encoding: string | undefined; bytesMax: number; url: URL },
): Promise<Buffer> {
  const decompress = DECOMPRESS[encoding.trim().toLowerCase()];
  // An error of the response or of its decompression is thrown by the loop below.
  const plain = decompress === undefined ? response : pipeline(response, decompress(), () => {});
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of plain as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(url, bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isCoded(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && /^M\d{4}$/.test(String(thrown.code));
}

function notReached(url: URL, cause: unknown): Error {
  const reason = cause instanceof Error && cause.message !== "" ? cause.message : String(cause);
  return webError("M8602", { message: `\`${url.host}\` can't be read: ${reason}`, cause });
}

function outOfTime(url: URL, timeoutMs: number): Error {
  return webError("M8603", {
    message: `\`${url.host}\` did not send its whole answer within ${timeoutMs / 1000} s`,
  });
}

function tooLarge(url: URL, bytesMax: number): Error {
  return webError("M8604", {
    message: `the answer of \`${url.host}\` is longer than ${Math.round(bytesMax / 1024)} KiB`,
  });
}
