import { afterEach, describe, expect, test } from "vitest";
import { createAgentPerformer } from "../../../runtime/agents/agent.ts";
import { createLimiter, type Limiter } from "../../../runtime/agents/models/limiter.ts";
import { resolveModel } from "../../../runtime/agents/models/model.ts";
import { createToolSet, tool } from "../../../runtime/agents/scope/tools.ts";
import { Cancellation } from "../../../runtime/cancellation.ts";
import type { SleepClock } from "../../../runtime/clock.ts";
import type { Attempt } from "../../../runtime/performer.ts";
import { type OpenAiServer, openAiServer, type ServerScript } from "../../support/openai-server.ts";
import {
  attemptOf,
  type FakeContext,
  type FastClock,
  failureOf,
  fakeContext,
  fastClock,
} from "./fake-context.ts";

const servers: OpenAiServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const KEY = "sk-test-0123456789";

interface Setup {
  readonly server: OpenAiServer;
  readonly clock: FastClock;
  perform(attempt: Attempt, context?: FakeContext): Promise<unknown>;
}

const weather = tool(({ city }: { city: string }) => ({ city, degrees: 21 }), {
  effect: "none",
  description: "the weather of a city",
  input: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
});

async function setUp(
  script: ServerScript,
  options: { readonly clock?: SleepClock; readonly limiter?: Limiter } = {},
): Promise<Setup> {
  const server = await openAiServer(script);
  servers.push(server);
  const clock = fastClock();
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.url, OPENAI_COMPATIBLE_API_KEY: KEY };
  const handle = resolveModel("openai-compatible/tiny", { env });
  const performer = createAgentPerformer({
    model: () => handle,
    tools: createToolSet(() => ({ weather })),
    clock: options.clock ?? { ...clock, sleep: toolTimersNever(clock) },
    ...(options.limiter === undefined ? {} : { limiter: options.limiter }),
  });
  return {
    server,
    clock,
    perform: (attempt, context = fakeContext()) => performer.perform(attempt, context),
  };
}

// Waits of a call are over at once; the two minutes of a tool are not.
function toolTimersNever(clock: FastClock): SleepClock["sleep"] {
  return (ms, signal) => (ms === 120_000 ? new Promise(() => undefined) : clock.sleep(ms, signal));
}

test("contract: a live provider is asked over its protocol, and model_source says live", async () => {
  const { server, perform } = await setUp([
    { text: "It is warm.", usage: { input: 12, output: 3, cached: 2 } },
  ]);
  const context = fakeContext();
  expect(await perform(attemptOf({}, { system: "Be short." }), context)).toBe("It is warm.");
  expect(context.deltas.join("")).toBe("It is warm.");
  expect(context.log[0]).toMatchObject({
    name: "openai-compatible/tiny",
    modelSource: "live",
    value: { text: "It is warm.", finish: "stop", model: "tiny" },
    usage: { inputTokens: 12, outputTokens: 3, cachedTokens: 2, modelCalls: 1, costUsd: null },
    firstTokenMs: 0,
  });
  expect(server.requests[0]).toMatchObject({
    path: "/v1/chat/completions",
    authorized: true,
    body: {
      model: "tiny",
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: "system", content: "Be short." },
        { role: "user", content: "What is it?" },
      ],
    },
  });
  expect(JSON.stringify([server.requests, context.log])).not.toContain(KEY);
});

test("tools go out with their schemas, calls come back, results go out again", async () => {
  const { server, perform } = await setUp([
    { calls: [{ tool: "weather", input: { city: "Bern" } }] },
    { text: "21 degrees" },
  ]);
  const context = fakeContext();
  expect(await perform(attemptOf({ tools: [["weather"]] }), context)).toBe("21 degrees");
  expect(server.requests[0]?.body.tools).toMatchObject([
    {
      function: {
        name: "weather",
        description: "the weather of a city",
        parameters: { required: ["city"] },
      },
    },
  ]);
  expect(server.requests[1]?.body.messages.slice(2)).toEqual([
    {
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: "call_1",
          type: "function",
          function: { name: "weather", arguments: '{"city":"Bern"}' },
        },
      ],
    },
    { role: "tool", tool_call_id: "call_1", content: '{"city":"Bern","degrees":21}' },
  ]);
  expect(context.log[1]).toMatchObject({
    effect: "tool",
    toolCallId: "call_1",
    value: { city: "Bern", degrees: 21 },
  });
});

test("two calls with one id are told apart", async () => {
  const { server, perform } = await setUp([
    {
      calls: [
        { tool: "weather", input: { city: "Bern" }, id: "x" },
        { tool: "weather", input: { city: "Rome" }, id: "x" },
      ],
    },
    { text: "both" },
  ]);
  await perform(attemptOf({ tools: [["weather"]] }));
  const messages = server.requests[1]?.body.messages ?? [];
  const asked = messages.flatMap((one) => one.tool_calls?.map(({ id }) => id) ?? []);
  expect(new Set(asked).size).toBe(2);
  expect(messages.flatMap((one) => one.tool_call_id ?? [])).toEqual(asked);
});

const numbers = {
  output: { type: "array", items: { type: "integer" } },
  writes: [{ field: "numbers", optional: false }],
};

test("structured output: the schema goes out as response_format, and into the system text", async () => {
  const { server, perform } = await setUp([{ json: { numbers: [1, 2] } }]);
  expect(await perform(attemptOf(numbers))).toEqual([1, 2]);
  const { body } = server.requests[0] ?? {};
  expect(body?.response_format).toEqual({
    type: "json_schema",
    json_schema: {
      name: "search",
      strict: true,
      schema: {
        type: "object",
        properties: { numbers: { type: "array", items: { type: "integer" } } },
        required: ["numbers"],
        additionalProperties: false,
      },
    },
  });
  expect(body?.messages[0]?.content).toContain('"numbers":{"type":"array"');
});

test("a schema that leaves something open is not sent as strict", async () => {
  const { server, perform } = await setUp([{ json: { a: 1 } }]);
  const output = { type: "object", additionalProperties: { type: "number" } };
  expect(
    await perform(attemptOf({ output, writes: [{ field: "sums", optional: false }] })),
  ).toEqual({ a: 1 });
  expect(server.requests[0]?.body.response_format?.json_schema?.strict).toBe(false);
});

test("invalid JSON is repaired in the same session", async () => {
  const { server, perform } = await setUp([
    { text: '{"numbers": ["one"]}' },
    { json: { numbers: [1] } },
  ]);
  const first = fakeContext();
  const failure = await failureOf(perform(attemptOf(numbers), first));
  expect(failure).toMatchObject({ class: "invalid", code: "M8120" });
  const { feedback = "" } = failure;
  const repair = attemptOf(numbers, { attempt: 2, reason: "repair", session: first.log, feedback });
  expect(await perform(repair)).toEqual([1]);
  expect(server.requests[1]?.body.messages.map(({ role }) => role)).toEqual([
    "system",
    "user",
    "assistant",
    "user",
  ]);
  expect(server.requests[1]?.body.messages[3]?.content).toContain(
    "at `numbers[0]`: expected an integer",
  );
});

test("a complete journal makes no request at all", async () => {
  const { server, perform } = await setUp([{ text: "once" }]);
  const first = fakeContext();
  await perform(attemptOf(), first);
  expect(await perform(attemptOf(), fakeContext({ recorded: first.log }))).toBe("once");
  expect(server.requests).toHaveLength(1);
});

// ── transport ───────────────────────────────────────────────────────────────────────────────────

describe("a transport fault is repeated inside the one call", () => {
  const fine = { text: "fine" };
  test.each<[string, ServerScript, number[]]>([
    [
      "429 with Retry-After in seconds",
      [{ status: 429, headers: { "retry-after": "7" } }, fine],
      [7000],
    ],
    [
      "429 with Retry-After as a date",
      [{ status: 429, headers: { "retry-after": new Date(1_005_000).toUTCString() } }, fine],
      [5000],
    ],
    [
      "429 with OpenAI's header in milliseconds",
      [{ status: 429, headers: { "retry-after-ms": "250", "retry-after": "9" } }, fine],
      [250],
    ],
    ["429 without a word", [{ status: 429 }, fine], [500]],
    [
      "500 three times",
      [{ status: 500 }, { status: 502 }, { status: 503 }, fine],
      [500, 1000, 2000],
    ],
    ["a stream that is cut", [{ text: "half an ans", cutAfter: 4 }, fine], [500]],
    ["a connection that is dropped", [{ reset: true }, fine], [500]],
    ["a stream that is cut at once", [{ text: "half an ans", cutAfter: 0 }, fine], [500]],
    ["a stream that ends without an end", [{ text: "half", unfinished: true }, fine], [500]],
    ["a stream of something else", [{ raw: "<html>" }, fine], [500]],
    [
      "an error inside the stream",
      [{ raw: '{"error":{"message":"overloaded","type":"server_error"}}' }, fine],
      [500],
    ],
  ])("%s", async (_, script, waits) => {
    const { server, clock, perform } = await setUp(script);
    const context = fakeContext();
    expect(await perform(attemptOf(), context)).toBe("fine");
    expect(clock.slept).toEqual(waits);
    expect(context.log).toHaveLength(1);
    expect(context.log[0]).toMatchObject({
      transportRetries: waits.length,
      usage: { modelCalls: 1 },
    });
    expect(server.requests).toHaveLength(waits.length + 1);
  });

  test("a wait that the provider asks for costs no try, and every repeat has the key of its call", async () => {
    const busy = { status: 429, headers: { "retry-after": "2" } };
    const { server, clock, perform } = await setUp([
      ...Array.from({ length: 8 }, () => busy),
      { status: 500 },
      fine,
    ]);
    expect(await perform(attemptOf())).toBe("fine");
    expect(clock.slept).toEqual([...Array.from({ length: 8 }, () => 2000), 500]);
    const keys = server.requests.map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys)).toEqual(new Set(["key 0"]));
  });

  test("who asks for waits without an end is not asked for ever", async () => {
    const { server, perform } = await setUp(() => ({
      status: 429,
      headers: { "retry-after": "60" },
    }));
    expect(await failureOf(perform(attemptOf()))).toMatchObject({ class: "transport" });
    expect(server.requests).toHaveLength(6);
  });

  test.each<[string, ServerScript]>([
    ["529", [{ status: 529, body: { error: { type: "overloaded_error" } } }, fine]],
    ["in the stream", [{ raw: '{"error":{"message":"overloaded_error"}}' }, fine]],
  ])("an overloaded provider is left alone by all who share its key: %s", async (_, script) => {
    const clock = fastClock();
    const limiter = createLimiter(clock);
    const held: number[] = [];
    const hold: Limiter["hold"] = (provider, until) => {
      held.push(until - clock.now());
      limiter.hold(provider, until);
    };
    const { perform } = await setUp(script, { clock, limiter: { ...limiter, hold } });
    expect(await perform(attemptOf())).toBe("fine");
    expect(held).toEqual([500]);
  });

  test("five tries are all; then class transport, with the status and what was said", async () => {
    const { server, clock, perform } = await setUp(() => ({
      status: 503,
      body: { error: { message: `overloaded, your key ${KEY}` } },
    }));
    const failure = await failureOf(perform(attemptOf()));
    expect(failure).toMatchObject({ class: "transport", code: "M8106" });
    expect(failure.message).toMatchInlineSnapshot(
      `"the provider of \`openai-compatible/tiny\` failed: it answered 503: {"error":{"message":"overloaded, your key ⟦secret:OPENAI_COMPATIBLE_API_KEY⟧"}} (after 5 tries)"`,
    );
    expect(clock.slept).toEqual([500, 1000, 2000, 4000]);
    expect(server.requests).toHaveLength(5);
  });

  test("a provider that asks for an hour is left to the retry of the node", async () => {
    const { clock, perform } = await setUp([{ status: 429, headers: { "retry-after": "3600" } }]);
    const failure = await failureOf(perform(attemptOf()));
    expect(failure).toMatchObject({ class: "transport", code: "M8106", retryAfterMs: 3_600_000 });
    expect(clock.slept).toEqual([]);
  });

  test("a server that is not there is a transport fault", async () => {
    const { server, perform } = await setUp([]);
    await server.close();
    const failure = await failureOf(perform(attemptOf()));
    expect(failure).toMatchObject({ class: "transport", code: "M8106" });
    expect(failure.message).toContain("ECONNREFUSED");
  });
});

test("all callers of a provider wait when it asks one of them to", async () => {
  const clock = fastClock();
  const limiter = createLimiter(clock);
  limiter.hold("one", clock.now() + 4000);
  limiter.hold("one", clock.now() + 3000);
  const never = new Cancellation();
  await limiter.ready("two", never);
  expect(clock.slept).toEqual([]);
  await limiter.ready("one", never);
  expect(clock.slept).toEqual([4000]);
  await limiter.ready("one", never);
  expect(clock.slept).toEqual([4000]);
});

describe("what another try would not change is asked once", () => {
  test.each<[string, ServerScript, object]>([
    [
      "401",
      [{ status: 401, body: { error: { message: `bad key ${KEY}` } } }],
      {
        class: "model",
        code: "M8104",
        message: expect.stringMatching(
          /refuses the credentials: 401: .*bad key ⟦secret:OPENAI_COMPATIBLE_API_KEY⟧/,
        ),
        hint: "check OPENAI_COMPATIBLE_API_KEY: its key is missing, wrong, or may not use this model",
      },
    ],
    ["403", [{ status: 403 }], { class: "model", code: "M8104" }],
    [
      "400",
      [{ status: 400, body: { error: { message: "no such schema" } } }],
      { class: "model", code: "M8105", message: expect.stringContaining("no such schema") },
    ],
    [
      "404",
      [{ status: 404, body: { error: { message: "no model tiny" } } }],
      { class: "model", code: "M8105" },
    ],
    [
      "no credit left",
      [{ status: 429, body: { error: { code: "insufficient_quota", message: "pay" } } }],
      { class: "model", code: "M8105" },
    ],
    [
      "a refusal inside the stream",
      [{ raw: '{"error":{"message":"too long","type":"invalid_request_error"}}' }],
      { class: "model", code: "M8105" },
    ],
    [
      "the length limit before a word is said",
      [{ text: "", finish: "length" }],
      {
        class: "model",
        code: "M8107",
        message:
          "the answer of `openai-compatible/tiny` was stopped at its length limit after 0 characters",
      },
    ],
    [
      "a content filter",
      [{ text: "", finish: "content_filter" }],
      {
        class: "filter",
        code: "M8210",
        message:
          "the answer of `openai-compatible/tiny` was stopped by a content filter (`content_filter`)",
      },
    ],
    [
      "a content filter that refuses the request",
      [{ status: 400, body: { error: { code: "content_filter", message: "no" } } }],
      { class: "filter", code: "M8210" },
    ],
  ])("%s", async (_, script, expected) => {
    const { server, clock, perform } = await setUp(script);
    const failure = await failureOf(perform(attemptOf()));
    expect(failure).toMatchObject(expected);
    expect(JSON.stringify(failure)).not.toContain(KEY);
    expect(server.requests).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });
});

test("a server that never answers is left at once when the attempt is aborted", async () => {
  const { server, clock, perform } = await setUp([{ hang: true }]);
  const controller = new AbortController();
  const failure = failureOf(perform(attemptOf(), fakeContext({ signal: controller.signal })));
  await server.asked(1);
  controller.abort(new Error("limit"));
  expect(await failure).toMatchObject({ class: "aborted", code: "M8111" });
  expect(clock.slept).toEqual([]);
});

test("a wait between tries ends with the attempt", async () => {
  const controller = new AbortController();
  const clock: SleepClock = {
    now: () => 0,
    sleep: (_, cancellation) =>
      new Promise((_resolve, reject) => {
        cancellation.onCancel(() => reject(cancellation.reason));
        controller.abort(new Error("stop"));
      }),
  };
  const { perform } = await setUp([{ status: 500 }], { clock });
  const failure = await failureOf(perform(attemptOf(), fakeContext({ signal: controller.signal })));
  expect(failure).toMatchObject({ class: "aborted" });
});

test("tokens that a provider does not count cost null, also where the price is known", async () => {
  const { perform } = await setUp([{ text: "hm", usage: false }]);
  const context = fakeContext();
  await perform(attemptOf(), context);
  expect(context.log[0]?.usage).toMatchObject({ inputTokens: 0, outputTokens: 0, costUsd: null });
});

describe("an answer that comes to its length limit", () => {
  test("is gone on with where it stopped, and its pieces are one text", async () => {
    const { server, perform } = await setUp([
      { text: "It is a ma", finish: "length" },
      { text: "dri", finish: "length" },
      { text: "gal." },
    ]);
    const context = fakeContext();
    expect(await perform(attemptOf(), context)).toBe("It is a madrigal.");
    expect(context.performed).toHaveLength(3);
    expect(server.requests[2]?.body.messages.slice(-4)).toMatchObject([
      { role: "assistant", content: "It is a ma" },
      { role: "user", content: expect.stringContaining("Go on exactly where it stopped") },
      { role: "assistant", content: "dri" },
      { role: "user" },
    ]);
  });

  test("is gone on with five times at most", async () => {
    const { server, perform } = await setUp(() => ({ text: "and ", finish: "length" }));
    expect(await failureOf(perform(attemptOf()))).toMatchObject({
      class: "model",
      code: "M8107",
      hint: "ask for less in one answer, or raise `maxOutputTokens` of the model",
    });
    expect(server.requests).toHaveLength(6);
  });

  test("is asked for again, shorter, where it is to fit a type", async () => {
    const { perform } = await setUp([{ text: '["one", "tw', finish: "length" }]);
    const output = { type: "array", items: { type: "string" } };
    expect(await failureOf(perform(attemptOf({ output })))).toMatchObject({
      class: "invalid",
      code: "M8107",
      feedback: expect.stringContaining("much shorter"),
      hint: "ask for less in one answer, or raise `maxOutputTokens` of the model",
    });
  });
});
