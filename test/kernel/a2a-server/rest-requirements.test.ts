/** Asks on the wire what the protocol requires of HTTP+JSON, and of two bindings beside each other. */
import { expect, test } from "vitest";
import { type ServedGraphs, served, TOKEN } from "./serving.ts";

interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: RestJson;
}

/** The members that requirements look at in what came; each answer has some of them. */
interface RestJson {
  readonly id: string;
  readonly url: string;
  readonly task: { readonly id: string };
  readonly result: { readonly task: unknown };
  readonly status: { readonly state: string };
  readonly configs: readonly unknown[];
  readonly tasks: readonly [{ readonly id: string; readonly artifacts: readonly unknown[] }];
  readonly totalSize: number;
  readonly pageSize: number;
  readonly nextPageToken: string;
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly status: string;
    readonly data: readonly unknown[];
    readonly details: readonly [{ readonly reason: string }];
  };
}

async function ask(
  url: string,
  method: string,
  path: string,
  {
    body,
    headers = {},
  }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<RestAnswer> {
  const own = { "content-type": "application/a2a+json", "a2a-version": "1.0" };
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...own, authorization: `Bearer ${TOKEN}`, ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

async function rpc(url: string, method: string, params: object): Promise<RestAnswer> {
  return await ask(url, "POST", "", { body: { jsonrpc: "2.0", id: 1, method, params } });
}

let count = 0;
const message = (parts: readonly object[], more: object = {}) => {
  count += 1;
  return { message: { messageId: `h-${count}`, role: "ROLE_USER", parts, ...more } };
};

const sent = async (url: string, parts: readonly object[]): Promise<string> =>
  (await ask(url, "POST", "/message:send", { body: message(parts) })).json.task.id;

/** An error as the protocol has it: the status, and the reason behind it. */
const faultIn = ({ status, json }: RestAnswer) => {
  const { code, message: words, details } = json.error;
  expect([code, typeof words, typeof json.error.status]).toEqual([status, "string", "string"]);
  const [info] = details;
  expect(info).toMatchObject({
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    domain: "a2a-protocol.org",
  });
  return [status, info.reason];
};

type RestRequirement = readonly [
  ids: string,
  words: string,
  check: (world: ServedGraphs) => Promise<void>,
];

const REQUIREMENTS: readonly RestRequirement[] = [
  [
    "HTTP_JSON-URL-001 HTTP_JSON-URL-002 HTTP_JSON-SVC-001",
    "each operation has its path and its verb, and answers with JSON of A2A",
    async ({ url }) => {
      const answer = await ask(url("Check"), "POST", "/message:send", {
        body: message([{ data: { what: "x" } }]),
      });
      expect(answer.headers.get("content-type")).toBe("application/a2a+json");
      const { id } = answer.json.task;
      expect((await ask(url("Check"), "GET", `/tasks/${id}`)).json.id).toBe(id);
      const config = { id: "one", url: "https://hook.example/a" };
      const hooks = `/tasks/${id}/pushNotificationConfigs`;
      const made = await ask(url("Check"), "POST", hooks, { body: config });
      expect([made.status, made.json.url]).toEqual([201, config.url]);
      expect((await ask(url("Check"), "GET", hooks)).json.configs).toHaveLength(1);
      expect((await ask(url("Check"), "GET", `${hooks}/one`)).json.id).toBe("one");
      expect((await ask(url("Check"), "DELETE", `${hooks}/one`)).status).toBe(204);
      expect((await ask(url("Check"), "GET", `${hooks}/one`)).status).toBe(404);
      const gone = await ask(url("Check"), "POST", `/tasks/${id}:cancel`);
      expect(gone.json.status.state).toBe("TASK_STATE_CANCELED");
      const other = await ask(url("Check"), "GET", "/message:send");
      expect([other.status, other.headers.get("allow")]).toEqual([405, "POST"]);
      expect((await ask(url("Check"), "GET", "/songs")).status).toBe(404);
    },
  ],
  [
    "HTTP_JSON-SVC-002",
    "the version and extensions come as headers, in any case; the version also stands in the query",
    async ({ url }) => {
      const get = (headers: Readonly<Record<string, string>>, path = "/tasks/none") =>
        ask(url("Shout"), "GET", path, { headers });
      expect(faultIn(await get({ "a2a-version": "1.0.3" }))).toEqual([404, "TASK_NOT_FOUND"]);
      const strange = { "A2A-Extensions": "https://example.com/x,https://example.com/y" };
      expect(faultIn(await get(strange))).toEqual([404, "TASK_NOT_FOUND"]);
      const asked = await get({ "a2a-version": "" }, "/tasks/none?A2A-Version=1.0");
      expect(faultIn(asked)).toEqual([404, "TASK_NOT_FOUND"]);
      for (const version of ["", "0.3", "2.0", "x"])
        expect(faultIn(await get({ "a2a-version": version }))).toEqual([
          400,
          "VERSION_NOT_SUPPORTED",
        ]);
    },
  ],
  [
    "HTTP_JSON-QP-001",
    "parameters of a query are called as the members of JSON",
    async ({ url }) => {
      for (const text of ["a", "b"])
        await ask(url("Shout"), "POST", "/message:send", {
          body: message([{ text }], { contextId: "mine" }),
        });
      await sent(url("Shout"), [{ text: "c" }]);
      const list = async (query: string) => (await ask(url("Shout"), "GET", `/tasks${query}`)).json;
      const page = await list("?contextId=mine&pageSize=1&includeArtifacts=true");
      expect([page.tasks.length, page.totalSize, page.pageSize]).toEqual([1, 2, 1]);
      expect(page.tasks[0].artifacts.length).toBeGreaterThan(0);
      const next = await list(`?contextId=mine&pageSize=1&pageToken=${page.nextPageToken}`);
      expect(next.tasks[0].id).not.toBe(page.tasks[0].id);
      expect(next.nextPageToken).toBe("");
      expect((await list("?status=TASK_STATE_COMPLETED")).totalSize).toBe(3);
      expect((await list("?status=TASK_STATE_WORKING")).tasks).toEqual([]);
      for (const wrong of ["?pageSize=1000", "?pageSize=x", "?pageToken=x", "?status=SUNG"])
        expect(faultIn(await ask(url("Shout"), "GET", `/tasks${wrong}`)), wrong).toEqual([
          400,
          "INVALID_PARAMS",
        ]);
    },
  ],
  [
    "HTTP_JSON-ERR-001 HTTP_JSON-ERR-002 HTTP_JSON-STATUS-001",
    "errors are objects of `google.rpc.Status` with the protocol's reason, by the status of the protocol's table",
    async ({ url }) => {
      const id = await sent(url("Shout"), [{ text: "la" }]);
      const send = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
        ask(url("Shout"), "POST", "/message:send", { body, headers });
      const cases: readonly (readonly [() => Promise<RestAnswer>, number, string])[] = [
        [() => ask(url("Shout"), "GET", "/tasks/none"), 404, "TASK_NOT_FOUND"],
        [() => ask(url("Shout"), "GET", "/tasks/%E0%A4%A"), 400, "INVALID_PARAMS"],
        [() => ask(url("Shout"), "POST", `/tasks/${id}:cancel`), 400, "TASK_NOT_CANCELABLE"],
        [() => ask(url("Shout"), "POST", `/tasks/${id}:subscribe`), 400, "UNSUPPORTED_OPERATION"],
        [() => ask(url("Shout"), "GET", "/extendedAgentCard"), 400, "UNSUPPORTED_OPERATION"],
        [() => send(message([{ raw: "AAAA" }])), 400, "CONTENT_TYPE_NOT_SUPPORTED"],
        [
          () => send(message([{ text: "la" }]), { "content-type": "text/plain" }),
          400,
          "CONTENT_TYPE_NOT_SUPPORTED",
        ],
        [() => send(message([])), 400, "INVALID_PARAMS"],
        [() => send("{"), 400, "INVALID_PARAMS"],
        [() => send([1]), 400, "INVALID_PARAMS"],
        [() => send({ message: 7 }), 400, "INVALID_PARAMS"],
        [() => send({}), 400, "INVALID_PARAMS"],
      ];
      for (const [answer, status, reason] of cases)
        expect(faultIn(await answer())).toEqual([status, reason]);
    },
  ],
  [
    "HTTP_JSON-SSE-001 HTTP_JSON-URL-002",
    "a stream is one of server-sent events, each the JSON of a StreamResponse",
    async ({ url }) => {
      const { headers, text } = await ask(url("Shout"), "POST", "/message:stream", {
        body: message([{ text: "la" }]),
      });
      expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
      const events = text
        .split("\n")
        .filter((line) => line.startsWith("data: "))
        .map((line) => JSON.parse(line.slice(6)));
      expect(Object.keys(events[0])).toEqual(["task"]);
      expect(events.at(-1).statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
    },
  ],
  [
    "BIND-EQUIV-001 BIND-EQUIV-002 BIND-EQUIV-003 BIND-EQUIV-004",
    "both bindings do the same, answer the same, refuse for the same reason, and ask for the same token",
    async ({ url }) => {
      const id = await sent(url("Shout"), [{ text: "la" }]);
      const [one, two] = [
        await ask(url("Shout"), "GET", `/tasks/${id}`),
        await rpc(url("Shout"), "GetTask", { id }),
      ];
      expect(one.json).toEqual(two.json.result);
      const again = { ...message([{ text: "la" }]) };
      const [first, second] = [
        await ask(url("Shout"), "POST", "/message:send", { body: again }),
        await rpc(url("Shout"), "SendMessage", again),
      ];
      expect(first.json.task).toEqual(second.json.result.task);
      const [refused, also] = [
        await ask(url("Shout"), "GET", "/tasks/none"),
        await rpc(url("Shout"), "GetTask", { id: "none" }),
      ];
      expect(refused.json.error.message).toBe(also.json.error.message);
      expect(also.json.error.data).toMatchObject([{ reason: faultIn(refused)[1] }]);
      for (const path of ["/tasks", "/message:send", "/extendedAgentCard", "/songs", ""]) {
        const stranger = { headers: { authorization: "Bearer x" } };
        expect((await ask(url("Shout"), "GET", path, stranger)).status).toBe(401);
      }
      const elsewhere = { headers: { origin: "https://evil.example" } };
      expect((await ask(url("Shout"), "GET", "/tasks", elsewhere)).status).toBe(403);
      const huge = { body: `{"message": "${"x".repeat(4 * 1024 * 1024)}"}` };
      expect((await ask(url("Shout"), "POST", "/message:send", huge)).status).toBe(413);
    },
  ],
];

test.each(REQUIREMENTS)("A58 %s: %s", async (_, __, check) => {
  await check(await served());
});
