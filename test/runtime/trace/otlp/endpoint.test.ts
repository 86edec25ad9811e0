/** What our endpoint takes, and what it says to everything else. */
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { type Endpoint, Session, scripted } from "../../../../runtime/index.ts";
import { newFolder } from "../store.ts";

async function listening(options: { readonly token?: string } = {}) {
  const session = new Session({ env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const endpoint = await session.spans.listen(options);
  onTestFinished(() => endpoint.close());
  return { session, endpoint };
}

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** By `node:http`, which sends any Host. */
function ask(
  { url }: Endpoint,
  { method = "POST", path = "/v1/traces", headers, body = SPANS }: Asked,
) {
  return new Promise<{ status: number | undefined; answer: unknown }>((resolve, reject) => {
    const all = { "content-type": "application/json", ...headers };
    const sent = request(`${url}${path}`, { method, headers: all }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, answer: JSON.parse(text) }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const span = {
  traceId: "0123456789abcdef0123456789ABCDEF",
  spanId: "0123456789abcdef",
  name: "chat gpt",
  kind: 3,
  startTimeUnixNano: "1772366400000000000",
  endTimeUnixNano: "1772366401500000000",
  attributes: [
    { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
    { key: "gen_ai.provider.name", value: { stringValue: "openai" } },
    { key: "gen_ai.request.model", value: { stringValue: "gpt" } },
    { key: "gen_ai.usage.input_tokens", value: { intValue: "12" } },
    {
      key: "gen_ai.input.messages",
      value: { stringValue: '[{"role":"user","parts":[{"type":"text","content":"hi"}]}]' },
    },
    {
      key: "http.request.header.authorization",
      value: { arrayValue: { values: [{ stringValue: "hdr-secret" }] } },
    },
  ],
};
const body = (...spans: unknown[]) =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
const SPANS = body(span);
const RUN = "01234567-89ab-cdef-0123-456789abcdef";

test("a lone model call is a run, with its tokens and its messages; headers are hidden", async () => {
  const { session, endpoint } = await listening();
  expect(
    await ask(endpoint, { headers: { "content-encoding": "gzip" }, body: gzipSync(SPANS) }),
  ).toEqual({ status: 200, answer: {} });
  const traces = await session.traces();
  expect(await traces.query("SELECT run_id, status, origin, input_tokens FROM runs")).toEqual([
    { run_id: RUN, status: "succeeded", origin: "otlp:unknown", input_tokens: 12 },
  ]);
  const [call] = await traces.query("SELECT model, dur_us, request FROM llm_calls");
  expect(call).toMatchObject({
    model: "openai/gpt",
    dur_us: 1_500_000,
    request: { messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }] },
  });
  expect(JSON.stringify(await traces.query("FROM events"))).not.toContain("hdr-secret");
});

test.each<[string, Asked, number, RegExp]>([
  ["protobuf", { headers: { "content-type": "application/x-protobuf" } }, 415, /http\/json/],
  ["a form", { headers: { "content-type": "text/plain" } }, 415, /JSON/],
  ["another encoding", { headers: { "content-encoding": "br" } }, 415, /gzip/],
  ["no gzip", { headers: { "content-encoding": "gzip" } }, 400, /gzip/],
  ["no JSON", { body: "{" }, 400, /no JSON/],
  ["no export request", { body: "[]" }, 400, /resourceSpans/],
  ["another path", { path: "/v1/metrics" }, 404, /\/v1\/traces/],
  ["a look", { method: "GET", body: "" }, 405, /posted/],
  ["a web page", { headers: { origin: "https://example.org" } }, 403, /web pages/],
  ["a name that leads here", { headers: { host: "evil.example.org" } }, 403, /this machine/],
  [
    "a bomb",
    { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(65 * 1024 * 1024)) },
    413,
    /bytes/,
  ],
])("%s is refused, and why is said", async (_, asked, status, why) => {
  const { session, endpoint } = await listening();
  const { status: given, answer } = await ask(endpoint, asked);
  expect(given).toBe(status);
  expect(answer).toMatchObject({ message: expect.stringMatching(why) });
  expect(await (await session.traces()).query("FROM runs")).toEqual([]);
});

test("a token is wanted where one was set", async () => {
  const { endpoint } = await listening({ token: "let-me-in" });
  expect((await ask(endpoint, {})).status).toBe(401);
  expect((await ask(endpoint, { headers: { authorization: "Bearer let-me-im" } })).status).toBe(
    401,
  );
  expect((await ask(endpoint, { headers: { authorization: "Bearer let-me-in" } })).status).toBe(
    200,
  );
});

test("spans without ids or times are left out, and counted; the rest is taken", async () => {
  const { session, endpoint } = await listening();
  const bad = [
    { ...span, traceId: "x" },
    { ...span, spanId: "0".repeat(16) },
    { ...span, startTimeUnixNano: undefined },
  ];
  const { answer } = await ask(endpoint, { body: body(...bad, span) });
  expect(answer).toEqual({
    partialSuccess: { rejectedSpans: "3", errorMessage: expect.stringContaining("traceId") },
  });
  expect(await (await session.traces()).query("SELECT run_id FROM runs")).toEqual([
    { run_id: RUN },
  ]);
});

test("a run that has a log here is not taken as spans, and an imported one can't be gone on with", async () => {
  const { session, endpoint } = await listening();
  const graph = session.compile(
    `model m = "scripted"\ngraph G() returns a { state { a: string = "" }\n agent x { model m; prompt "Go"; writes a }\n start -> x -> end }`,
  ).G;
  const run = graph?.run({}, { models: { m: scripted({ x: ["done"] }) } });
  await run?.output;
  const own = run?.id ?? "";
  const { answer } = await ask(endpoint, {
    body: body({ ...span, traceId: own.replaceAll("-", "") }),
  });
  expect(answer).toEqual({
    partialSuccess: { rejectedSpans: "1", errorMessage: expect.stringContaining("with its log") },
  });
  await ask(endpoint, {});
  for (const id of [RUN, RUN.slice(0, 12)]) {
    expect(() => session.open(id)).toThrow(expect.objectContaining({ code: "M5435" }));
  }
  expect(session.open(own).status).toBe("succeeded");
  // Both are there, side by side, also after all of it was made anew.
  const traces = await session.traces();
  const ids = [{ run_id: RUN }, { run_id: own }];
  expect(await traces.query("SELECT run_id FROM runs ORDER BY run_id")).toEqual(ids);
  await traces.rebuild(session.store);
  expect(await traces.query("SELECT run_id FROM runs ORDER BY run_id")).toEqual(ids);
});
