/** Strangers who ask the HTTP server of `madrigal mcp`, and clients that ask it for more than it offers. */
import { request } from "node:http";
import { expect, test } from "vitest";
import { connected, served, TOKEN } from "../kernel/mcp-server/offered.ts";
import { holdCaseCount } from "./attack-table.ts";

const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
const bearer = { authorization: `Bearer ${TOKEN}` };
const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };

test.each([
  ["no token", 401, {}, body],
  ["another token", 401, { authorization: "Bearer guessed" }, body],
  ["a page of another site", 403, { ...bearer, origin: "https://evil.example" }, body],
  ["a page without an origin of its own", 403, { ...bearer, origin: "null" }, body],
  ["a body of 5 MiB", 413, bearer, `"${"x".repeat(5 * 1024 * 1024)}"`],
])("%s is answered with %i", async (_, status, headers, sent) => {
  const { url } = await served();
  const response = await fetch(url, {
    method: "POST",
    headers: { ...json, ...headers },
    body: sent,
  });
  expect(response.status).toBe(status);
});

test("a name that a stranger's DNS leads here is refused", async () => {
  const { url } = await served();
  const status = await new Promise((resolve, reject) => {
    const headers = { ...json, ...bearer, host: "evil.example" };
    const asking = request(url, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asking.on("error", reject).end(body);
  });
  expect(status).toBe(403);
});

test.each(["madrigal://runs/..%2f..%2fetc%2fpasswd", "madrigal://runs/", "file:///etc/passwd"])(
  "the resource %s is none",
  async (uri) => {
    const { url } = await served();
    const client = await connected(url);
    await expect(client.readResource({ uri })).rejects.toThrow();
  },
);

test("an answer with a state that this server did not sign is refused", async () => {
  const { url, session } = await served();
  const client = await connected(url);
  await client.callTool({ name: "Check", arguments: { what: "it" } });
  const forged = Buffer.from(
    JSON.stringify({ run: session.list()[0]?.runId, interrupt: "person-0" }),
  ).toString("base64url");
  const params = {
    ...{ name: "Check", arguments: { what: "it" }, requestState: forged },
    inputResponses: { answer: { action: "accept", content: { answer: "mine" } } },
  };
  await expect(client.callTool(params as never)).rejects.toThrow(/requestState/);
  expect(session.list().map(({ status }) => status)).toEqual(["waiting"]);
});

holdCaseCount();
