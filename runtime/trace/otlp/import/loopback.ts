/** Serves HTTP on 127.0.0.1, for programs on this machine and for no page of a browser. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf } from "../../../failure.ts";

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** From now on it keeps no process alive. */
  unref(): void;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1; on any free port where it is 0. */
export async function listenHere(take: RequestListener, wanted: number): Promise<Listening> {
  // An import of this module makes all that it exports, with them all of `fetch`: ten times the time.
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer(take);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, close, unref: () => void server.unref() };
}

/** The reason why a request is refused. */
export class RequestRefusal extends Error {
  readonly status: number;

  constructor(message: string, options: { readonly status: number; readonly cause?: unknown }) {
    super(message, options);
    this.status = options.status;
  }
}

/** A page in a browser says whence it is, or has reached us by a name of its own. */
export function isFromHere({ headers: { host = "", origin } }: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host) && origin === undefined;
}

/** Compares secrets in a time that tells nothing of where they differ. */
export function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Answers in JSON; nothing here is for pages of other origins. */
export function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** The body of a request; one that is too long is refused while it comes. */
export async function bytesOf(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  // Told before it is read, so that the answer is heard.
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) throw tooBig(bytesMax);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > bytesMax) throw tooBig(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Said of a body that is too long. */
export function tooBig(bytesMax: number, cause?: unknown): RequestRefusal {
  return new RequestRefusal(`a request may have ${bytesMax} bytes: send less at once`, {
    status: 413,
    cause,
  });
}

/** The JSON of a body. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RequestRefusal(`the body is no JSON: ${messageOf(error)}`, {
      status: 400,
      cause: error,
    });
  }
}
