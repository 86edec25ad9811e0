/** Serves a proxy on this machine through which a browser session reaches the network, and nothing beside what its rules permit. */
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { messageOf } from "../../../failure.ts";
import { isDeclaredHost, publicLookup, type ResolveName } from "../../web/reachable-addresses.ts";
import type { SiteRules } from "./site-rules.ts";

export interface ProxyOptions {
  readonly rules: SiteRules;
  /** The most bytes that one connection may bring. */
  readonly bytesMax: number;
  readonly resolveName?: ResolveName | undefined;
}

/** Headers that are of one connection alone. */
const OF_CONNECTION = ["proxy-connection", "proxy-authorization", "connection", "keep-alive"];

export class GuardedProxy {
  readonly #options: ProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();

  private constructor(options: ProxyOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => this.#forward(request, response));
    this.#server.on("connect", (request, socket, head) => this.#tunnel(request, socket, head));
    this.#server.on("connection", (socket) => this.#keep(socket));
    // A browser that goes away mid-request is no event.
    this.#server.on("clientError", (_, socket) => socket.destroy());
  }

  /** Opens one on a free port of the loopback address. */
  static async open(options: ProxyOptions): Promise<GuardedProxy> {
    const proxy = new GuardedProxy(options);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once("error", reject);
      proxy.#server.listen(0, "127.0.0.1", resolve);
    });
    proxy.#server.unref();
    return proxy;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  }

  #refuse(url: URL, reason: string): void {
    this.#options.rules.refuse(url.host, reason);
  }

  /** The name is resolved once, and connected to is what it resolved to. */
  #lookupFor(url: URL) {
    const { rules, resolveName } = this.#options;
    return isDeclaredHost(url, rules.privateHosts) ? {} : { lookup: publicLookup(resolveName) };
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const { rules, bytesMax } = this.#options;
    const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : undefined;
    const fault = url?.protocol === "http:" ? rules.hostFault(url) : "it is no address of the web";
    if (url === undefined || fault !== undefined) {
      if (url !== undefined) this.#refuse(url, fault ?? "");
      response.destroy();
      return;
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !OF_CONNECTION.includes(name)),
    );
    const { method } = request;
    const of = { headers, agent: false, ...this.#lookupFor(url), ...(method ? { method } : {}) };
    const outward = requestHttp(url, of, (answer) => {
      const { statusCode = 502, statusMessage, rawHeaders } = answer;
      response.writeHead(statusCode, statusMessage, rawHeaders);
      cutAfter(answer, bytesMax, () => {
        this.#refuse(url, tooLong(bytesMax));
        answer.destroy();
        response.destroy();
      });
      answer.on("error", () => response.destroy());
      answer.pipe(response);
    });
    outward.on("error", (error) => {
      if (isRefusal(error)) this.#refuse(url, messageOf(error).split(";", 1)[0] ?? "");
      response.destroy();
    });
    response.on("close", () => outward.destroy());
    request.pipe(outward);
  }

  #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { rules, bytesMax } = this.#options;
    const asked = `https://${request.url ?? ""}/`;
    const url = URL.canParse(asked) ? new URL(asked) : undefined;
    const fault = url === undefined ? "it is no address" : rules.hostFault(url);
    if (url === undefined || fault !== undefined) {
      if (url !== undefined) this.#refuse(url, fault ?? "");
      socket.destroy();
      return;
    }
    const port = Number(url.port || "443");
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const outward: Socket = connect({ host, port, ...this.#lookupFor(url) }, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      if (head.length > 0) outward.write(head);
      cutAfter(outward, bytesMax, () => {
        this.#refuse(url, tooLong(bytesMax));
        outward.destroy();
        socket.destroy();
      });
      outward.pipe(socket);
      socket.pipe(outward);
    });
    this.#keep(outward);
    outward.on("error", (error) => {
      if (isRefusal(error)) this.#refuse(url, messageOf(error).split(";", 1)[0] ?? "");
      socket.destroy();
    });
    outward.once("close", () => socket.destroy());
    socket.once("close", () => outward.destroy());
  }
}

function cutAfter(stream: IncomingMessage | Socket, bytesMax: number, cut: () => void): void {
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) cut();
  });
}

function tooLong(bytesMax: number): string {
  return `its answer is longer than ${Math.round(bytesMax / 1024)} KiB`;
}

function isRefusal(error: Error): boolean {
  return "code" in error && error.code === "M8601";
}
