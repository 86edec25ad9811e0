/** Strangers, pages and clients of too little right or too much appetite who ask the server of `madrigal serve`. */
import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { served, TOKENS } from "../../kernel/http-server/serving.ts";
import { holdCaseCount } from "../attack-table.ts";

vi.setConfig({ testTimeout: 180_000 });

const json = { "content-type": "application/json" };
const bearer = (token: string) => ({ ...json, authorization: `Bearer ${token}` });
const START = JSON.stringify({ input: { text: "la" } });

test.each([
  ["no token", 401, json],
  ["another token", 401, bearer("guessed")],
  ["the role `read`", 403, bearer(TOKENS.read)],
  ["the role `answer`", 403, bearer(TOKENS.answer)],
  ["a page of another site", 403, { ...bearer(TOKENS.admin), origin: "https://evil.example" }],
  [
    "a page of another server of this machine",
    403,
    { ...bearer(TOKENS.admin), origin: "http://127.0.0.1:1" },
  ],
  ["a page without an origin of its own", 403, { ...bearer(TOKENS.admin), origin: "null" }],
  ["a form, which can't send JSON", 415, { ...bearer(TOKENS.admin), "content-type": "text/plain" }],
])("a start with %s is answered with %i, and starts nothing", async (_, status, headers) => {
  const { url, session } = await served();
  const response = await fetch(`${url}/graphs/Shout/runs`, {
    method: "POST",
    headers,
    body: START,
  });
  expect(response.status).toBe(status);
  expect(session.list()).toEqual([]);
});

test.each([
  ["answer a question", "run", "POST", "/questions/h-0/answer"],
  ["cancel a run", "answer", "POST", "/cancel"],
  ["delete a run", "run", "DELETE", ""],
])("who may not %s can't as `%s`", async (_, role, method, path) => {
  const { ask } = await served();
  const { json: run } = await ask("/graphs/Check/runs?wait=30", {
    body: { input: { what: "it" } },
  });
  const asked = { as: role as "run", method, ...(method === "POST" ? { body: {} } : {}) };
  const refused = await ask(`/runs/${run.run_id}${path}`, asked);
  expect([refused.status, refused.json.error.code]).toEqual([403, "M7778"]);
  expect((await ask(`/runs/${run.run_id}`)).json.status).toBe("waiting");
});

test("a cookie lets a page in, and changes nothing for the page of another site or for none", async () => {
  const { url, session } = await served();
  const entered = await fetch(`${url}/?token=${encodeURIComponent(TOKENS.admin)}`, {
    redirect: "manual",
  });
  const [cookie = ""] = (entered.headers.get("set-cookie") ?? "").split(";");
  expect(entered.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Strict/);
  expect(cookie).not.toContain(encodeURIComponent(TOKENS.admin));
  const start = async (headers: Record<string, string>) =>
    (
      await fetch(`${url}/graphs/Shout/runs`, {
        method: "POST",
        headers: { ...json, cookie, ...headers },
        body: START,
      })
    ).status;
  expect(await start({})).toBe(403);
  expect(await start({ origin: "http://127.0.0.1:1" })).toBe(403);
  expect(session.list()).toEqual([]);
  expect(await start({ origin: url })).toBe(201);
});

test("a token in the address of the API is none", async () => {
  const { url } = await served();
  expect((await fetch(`${url}/runs?token=${encodeURIComponent(TOKENS.admin)}`)).status).toBe(401);
});

test("a name that a stranger's DNS leads here is refused, with a token or without", async () => {
  const { url } = await served();
  for (const path of ["/", "/health", "/runs"]) {
    const headers = { ...bearer(TOKENS.admin), host: "evil.example" };
    const asking = request(`${url}${path}`, { headers }).end();
    const [response] = await once(asking, "response");
    response.resume();
    expect(response.statusCode).toBe(403);
  }
});

test.each([
  ["two lengths", "content-length: 4\r\ncontent-length: 30\r\n\r\n{}GET /health HTTP/1.1\r\n\r\n"],
  [
    "a length and chunks",
    "content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\n\r\n",
  ],
  [
    "chunks that are none",
    "transfer-encoding: xchunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\n\r\n",
  ],
  ["a folded line", "content-length:\r\n 4\r\n\r\n{}"],
])("a request with %s hides no second one", async (_, rest) => {
  const { url } = await served();
  const head = `POST /graphs/Shout/runs HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${TOKENS.admin}\r\ncontent-type: application/json\r\n`;
  const answer = await rawAnswer(url, `${head}${rest}`);
  expect(answer).toMatch(/^HTTP\/1.1 400/);
  expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1);
});

test("a body of 100 MB is refused at its announcement, and one without a length as soon as it is too long", async () => {
  const { url, ask } = await served();
  const announced = `POST /graphs/Shout/runs HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${TOKENS.admin}\r\ncontent-type: application/json\r\ncontent-length: 104857600\r\n\r\n`;
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(announced);
  const [bytes] = await once(socket, "data");
  expect(String(bytes)).toMatch(/^HTTP\/1.1 413/);
  socket.destroy();
  // It ends after 100 MB: Node's client goes on reading a body whose connection was cut off.
  const megabytes = Array.from({ length: 100 }, () => new Uint8Array(1024 * 1024));
  const body = ReadableStream.from(megabytes);
  const streamed = { method: "POST", headers: bearer(TOKENS.admin), body, duplex: "half" };
  const status = await fetch(`${url}/graphs/Shout/runs`, streamed as RequestInit).then(
    (response) => response.status,
    () => "cut off",
  );
  expect([413, "cut off"]).toContain(status);
  expect((await ask("/health")).status).toBe(200);
});

test("a body that does not come is cut off, and others are served meanwhile", async () => {
  const { url, ask } = await served({ limits: { requestMs: 1000 } });
  const slow = rawAnswer(
    url,
    `POST /graphs/Shout/runs HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${TOKENS.admin}\r\ncontent-type: application/json\r\ncontent-length: 30\r\n\r\n{`,
  );
  expect(
    (await ask("/graphs/Shout/runs?wait=30", { body: { input: { text: "la" } } })).status,
  ).toBe(201);
  expect(await slow).toMatch(/^HTTP\/1.1 408/);
});

test("a client that asks too often is told to wait, and strangers take nothing from it", async () => {
  const { url, ask } = await served({ rate: 30 });
  const guesses = await Promise.all(
    Array.from({ length: 100 }, async () => (await fetch(`${url}/runs`)).status),
  );
  expect(new Set(guesses)).toEqual(new Set([401, 429]));
  expect((await ask("/runs", { as: "run" })).status).toBe(200);
  const asked = await Promise.all(Array.from({ length: 200 }, () => ask("/runs", { as: "read" })));
  const refused = asked.find(({ status }) => status === 429);
  expect(refused?.headers.get("retry-after")).toBe("1");
  expect((await ask("/runs", { as: "admin" })).status).toBe(200);
});

test("of 500 clients of one run, the half that does not read is dropped, and the others have all of it", async () => {
  const { url, ask, streams } = await served({ limits: { stalledMs: 500 } });
  const { json: run } = await ask("/graphs/Flood/runs?wait=30", {
    body: { input: { letters: 600_000 } },
  });
  const path = `/runs/${run.run_id}/events`;
  const stalled = await Promise.all(Array.from({ length: 250 }, () => stall(url, path)));
  const ends = await Promise.all(Array.from({ length: 250 }, () => readToEnd(url, path)));
  expect(new Set(ends)).toEqual(new Set(['event: end\ndata: {"status":"succeeded"}']));
  await vi.waitFor(() => expect(streams.size).toBe(0), { timeout: 60_000 });
  expect((await ask("/health")).status).toBe(200);
  for (const socket of stalled) socket.destroy();
});

/** All that a server answers to what is sent as it stands, until it closes the connection. */
async function rawAnswer(url: string, sent: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(sent);
  let text = "";
  socket.on("data", (bytes) => {
    text += bytes;
    // A connection that is kept would wait for the next request.
    if (/^HTTP\/1.1 4/.test(text)) setImmediate(() => socket.end());
  });
  await once(socket, "close");
  return text;
}

/** A client that asks for the events and reads nothing of them. */
async function stall(url: string, path: string): Promise<Socket> {
  const socket = connect({
    port: Number(new URL(url).port),
    host: "127.0.0.1",
    onread: { buffer: Buffer.alloc(1024), callback: () => false },
  });
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${TOKENS.read}\r\n\r\n`,
  );
  return socket;
}

/** The last event of a run, of a client that reads. */
async function readToEnd(url: string, path: string): Promise<string> {
  const asking = request(`${url}${path}`, {
    headers: { authorization: `Bearer ${TOKENS.read}` },
  }).end();
  const [response] = await once(asking, "response");
  let last = Buffer.alloc(0);
  for await (const bytes of response)
    last = Buffer.concat([last, bytes.subarray(-200)]).subarray(-200);
  return String(last).trim().split("\n\n").at(-1) ?? "";
}

holdCaseCount();
