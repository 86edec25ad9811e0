/** Serves pages on loopback for tests of the tools for the web, and counts what it is asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type SitePage =
  | string
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Buffer;
    }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export interface Site {
  /** `127.0.0.1:PORT`, which a program may declare. */
  readonly host: string;
  /** The paths of the requests, in their order, without those of robots.txt. */
  readonly asked: string[];
  url(path: string): string;
}

/** Serves pages by their paths until the test ends; a path without a page is 404. */
export async function serveSite(pages: Readonly<Record<string, SitePage>>): Promise<Site> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    if (path !== "/robots.txt") asked.push(request.url ?? "");
    const page = pages[path] ?? { status: 404, body: "no such page" };
    if (typeof page === "function") {
      page(request, response);
      return;
    }
    const {
      status = 200,
      headers = {},
      body = "",
    } = typeof page === "string" ? { body: page } : page;
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, asked, url: (path) => `http://${host}${path}` };
}
