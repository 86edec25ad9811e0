/** Strangers who ask the server of `madrigal serve --a2a`, and clients that ask it for more than it offers. */
import { request } from "node:http";
import { expect, test } from "vitest";
import { served, TOKEN } from "../../kernel/a2a-server/serving.ts";
import { holdCaseCount } from "../attack-table.ts";

const bearer = { authorization: `Bearer ${TOKEN}` };
const json = { "content-type": "application/json", "a2a-version": "1.0" };
const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} });

test.each([
  ["no token", 401, {}, body],
  ["another token", 401, { authorization: "Bearer guessed" }, body],
  ["a page of another site", 403, { ...bearer, origin: "https://evil.example" }, body],
  ["a page without an origin of its own", 403, { ...bearer, origin: "null" }, body],
  ["a form of a page", 415, { ...bearer, "content-type": "text/plain" }, body],
  ["a body of 5 MiB", 413, bearer, `"${"x".repeat(5 * 1024 * 1024)}"`],
])("%s is answered with %i", async (_, status, headers, sent) => {
  const { url } = await served();
  const response = await fetch(url("Shout"), {
    method: "POST",
    headers: { ...json, ...headers },
    body: sent,
  });
  expect(response.status).toBe(status);
});

test.each(["/", "/.well-known/agent-card.json", "/Shout/.well-known/agent-card.json"])(
  "a name that a stranger's DNS leads here is refused at %s",
  async (path) => {
    const { url } = await served();
    const status = await new Promise((resolve, reject) => {
      const headers = { ...json, ...bearer, host: "evil.example" };
      const asking = request(
        new URL(path, url("Shout")),
        { method: path === "/" ? "POST" : "GET", headers },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      asking.on("error", reject).end();
    });
    expect(status).toBe(403);
  },
);

async function ask(url: string, method: string, params: object) {
  const sent = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, {
    method: "POST",
    headers: { ...json, ...bearer },
    body: sent,
  });
  return (await response.json()) as {
    readonly result?: object;
    readonly error?: { readonly code: number };
  };
}

const message = (more: object) => ({
  message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "la" }], ...more },
});

test.each<readonly [string, string, object, number]>([
  ["a run of another graph", "GetTask", { id: "OWN" }, -32_001],
  ["a run that a person of this machine has begun", "GetTask", { id: "PERSON" }, -32_001],
  ["a cancel of such a run", "CancelTask", { id: "PERSON" }, -32_001],
  ["the newest run by its word", "GetTask", { id: "last" }, -32_001],
  ["a run by the beginning of its id", "GetTask", { id: "SHORT" }, -32_001],
  ["a path as a task", "GetTask", { id: "../../etc/passwd" }, -32_001],
  [
    "a context of another task",
    "SendMessage",
    message({ taskId: "MINE", contextId: "other" }),
    -32_602,
  ],
  ["an id without end", "SendMessage", message({ messageId: "x".repeat(10_000) }), -32_602],
  [
    "notices to this machine",
    "CreateTaskPushNotificationConfig",
    { taskId: "MINE", url: "http://127.0.0.1:22/" },
    -32_602,
  ],
  [
    "notices to a cloud's metadata",
    "CreateTaskPushNotificationConfig",
    { taskId: "MINE", url: "http://169.254.169.254/" },
    -32_602,
  ],
  [
    "notices to a file",
    "CreateTaskPushNotificationConfig",
    { taskId: "MINE", url: "file:///etc/passwd" },
    -32_602,
  ],
  [
    "a key that changes all objects",
    "SendMessage",
    {
      message: {
        messageId: "p",
        role: "ROLE_USER",
        parts: [{ data: JSON.parse('{"__proto__": {"what": "x"}, "text": "la"}') }],
      },
    },
    -32_602,
  ],
])("%s is refused", async (_, method, params, code) => {
  const { url, session, graphs } = await served();
  await ask(url("Check"), "SendMessage", message({ messageId: "own" }));
  await ask(url("Shout"), "SendMessage", message({ messageId: "mine" }));
  const idOf = (graph: string) =>
    session.list().find((run) => run.graph === graph && run.request !== undefined)?.runId ?? "";
  const own = graphs.find(({ name }) => name === "Shout")?.run({ text: "la" });
  await own?.output;
  const person = own?.id ?? "";
  const filled = JSON.stringify(params)
    .replaceAll("PERSON", person)
    .replaceAll("OWN", idOf("Check"))
    .replaceAll("SHORT", idOf("Shout").slice(0, 8))
    .replaceAll("MINE", idOf("Shout"));
  expect(await ask(url("Shout"), method, JSON.parse(filled))).toMatchObject({ error: { code } });
});

holdCaseCount();
