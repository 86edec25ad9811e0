/** The transport of providers: Node's HTTP client in the form of `fetch`. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import {
  httpCallOf,
  httpFetch,
} from "../../../../../runtime/agents/models/providers/http-fetch.ts";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function fetched(url: string, init?: RequestInit, take = (_: number) => {}): Promise<Response> {
  const call = httpCallOf(url, init);
  if (call === undefined) throw new Error("no plain call");
  return httpFetch(call, take);
}

test("a request has its method, headers and body, and its answer what fetch would say of it", async () => {
  const url = await serve(async (request, response) => {
    const pieces = await Array.fromAsync(request, String);
    response.writeHead(201, "Made", { "content-type": "text/plain", "set-cookie": ["a=1", "b=2"] });
    response.end(`${request.method} ${request.headers["x-a"]} ${pieces.join("")}`);
  });
  const answer = await fetched(url, { method: "POST", headers: { "X-A": " b " }, body: "grüße" });
  expect([answer.status, answer.statusText, answer.ok]).toEqual([201, "Made", true]);
  expect(answer.headers.get("content-type")).toBe("text/plain");
  expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await answer.text()).toBe("POST b grüße");
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
] as const)("what a server packs as %s is unpacked", async (encoding, pack) => {
  const url = await serve((_, response) => {
    response.setHeader("content-encoding", encoding).end(pack("an answer"));
  });
  expect(await (await fetched(url)).text()).toBe("an answer");
});

test("bytes are counted unpacked, and what the count throws ends the answer and its connection", async () => {
  let closed: Promise<unknown> | undefined;
  const url = await serve((request, response) => {
    closed = once(request.socket, "close");
    response.setHeader("content-encoding", "gzip").write(gzipSync(Buffer.alloc(1_000_000)));
  });
  let bytes = 0;
  const answer = await fetched(url, {}, (more) => {
    bytes += more;
    if (bytes > 500_000) throw new Error("enough");
  });
  await expect(answer.text()).rejects.toThrow("enough");
  await closed;
});

test("a redirect is an answer, and one without a body has none", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/none") response.writeHead(204).end();
    else response.writeHead(302, { location: "/none" }).end();
  });
  expect((await fetched(url)).status).toBe(302);
  const none = await fetched(`${url}none`);
  expect([none.status, none.body]).toEqual([204, null]);
});

test("a refused connection and an answer that is cut off reject as those of fetch do", async () => {
  const url = await serve((_, response) => {
    response.write("half", () => response.destroy());
  });
  const cut = await fetched(url);
  await expect(cut.text()).rejects.toMatchObject({ name: "TypeError", message: "terminated" });
  server?.close();
  await once(server as Server, "close");
  await expect(fetched(url)).rejects.toMatchObject({
    name: "TypeError",
    message: "fetch failed",
    cause: { code: "ECONNREFUSED" },
  });
});

test("an abort rejects with its reason: before the call, before its answer, and in it", async () => {
  const stopped = new AbortController();
  stopped.abort(new Error("too late"));
  const url = await serve((request, response) => {
    if (request.url === "/begun") response.write("begun");
  });
  await expect(fetched(url, { signal: stopped.signal })).rejects.toThrow("too late");
  for (const path of ["silent", "begun"]) {
    const stop = new AbortController();
    const asked = fetched(`${url}${path}`, { signal: stop.signal }).then((one) => one.text());
    await once(server as Server, "request");
    stop.abort(new Error("not wanted"));
    await expect(asked).rejects.toThrow("not wanted");
  }
});

test("a reader who cancels closes the connection", async () => {
  let closed: Promise<unknown> | undefined;
  const url = await serve((request, response) => {
    closed = once(request.socket, "close");
    response.write("begun");
  });
  const reader = (await fetched(url)).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await closed;
});

test("forms, requests and other schemes are none of its calls", () => {
  expect(httpCallOf("http://a.test/", { method: "POST", body: new FormData() })).toBeUndefined();
  expect(httpCallOf(new Request("http://a.test/"))).toBeUndefined();
  expect(httpCallOf("data:text/plain,hello")).toBeUndefined();
});
