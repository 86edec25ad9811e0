/** Shows what happens when a provider says that a prompt is too long. */
import { afterEach, expect, test } from "vitest";
import { createAgentPerformer } from "../../../../runtime/agents/agent.ts";
import type { ModelRequest } from "../../../../runtime/agents/conversation/messages.ts";
import { resolveModel } from "../../../../runtime/agents/models/model.ts";
import { createToolSet, tool } from "../../../../runtime/agents/scope/tools.ts";
import type { Attempt } from "../../../../runtime/performer.ts";
import {
  type OpenAiServer,
  openAiServer,
  type ServerAnswer,
  type ServerRequest,
} from "../../../support/openai-server.ts";
import {
  attemptOf,
  failureOf,
  fakeContext,
  fastClock,
  type LoggedEffect,
} from "../fake-context.ts";

const servers: OpenAiServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const look = tool(({ at }: { at: number }) => `seen ${at} `.repeat(60), {
  effect: "none",
  input: { type: "object", properties: { at: { type: "integer" } } },
});

/** An agent that looks five times, against a server that refuses some requests. */
async function refusing(
  isRefused: (messages: number, index: number) => boolean,
  refusal: ServerAnswer,
) {
  const server = await openAiServer(({ body }: ServerRequest, index) => {
    if (isRefused(body.messages.length, index)) return refusal;
    const last = body.messages.findLast(({ role }) => role === "tool")?.tool_call_id;
    const at = Number(last?.replace("call_", "") ?? 0) + 1;
    return at > 5
      ? { text: "done" }
      : { calls: [{ tool: "look", input: { at }, id: `call_${at}` }] };
  });
  servers.push(server);
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.url };
  const performer = createAgentPerformer({
    model: () => resolveModel("openai-compatible/tiny", { env }),
    tools: createToolSet(() => ({ look })),
    clock: fastClock(),
  });
  const attempt = (more: Partial<Attempt> = {}) =>
    attemptOf({ tools: [["look"]], output: { type: "string" } }, more);
  return { server, performer, attempt };
}

const requests = (log: readonly LoggedEffect[]) =>
  log.flatMap(({ effect, request, failure }) =>
    effect === "model" ? [{ ...(request as ModelRequest), failed: failure?.code }] : [],
  );

const REFUSALS: readonly (readonly [name: string, refusal: ServerAnswer])[] = [
  [
    "400 of OpenAI",
    {
      status: 400,
      body: {
        error: {
          code: "context_length_exceeded",
          message: "This model's maximum context length is 8192 tokens.",
        },
      },
    },
  ],
  [
    "400 of Anthropic",
    {
      status: 400,
      body: {
        error: {
          type: "invalid_request_error",
          message: "prompt is too long: 208310 tokens > 200000 maximum",
        },
      },
    },
  ],
  [
    "400 of llama.cpp",
    { status: 400, body: { error: { message: "the request exceeds the available context size" } } },
  ],
  ["413", { status: 413, body: { error: { message: "Payload Too Large" } } }],
];

test.each(REFUSALS)(
  "E66 what a provider refuses as too long (%s) is sent once more without its middle",
  async (_name, refusal) => {
    const { server, performer, attempt } = await refusing((messages) => messages > 6, refusal);
    const context = fakeContext();
    expect(await performer.perform(attempt(), context)).toBe("done");
    const asked = requests(context.log);
    const refused = asked.findIndex(({ failed }) => failed === "M8125");
    const [first, again] = asked.slice(refused);
    // It adds nothing: the log has the messages already.
    expect(again).toMatchObject({
      from: (first?.from ?? 0) + (first?.messages.length ?? 0),
      messages: [],
    });
    expect(again?.compacted).toMatchObject([{ policy: "too long", dropped: [[2, 6]] }]);
    const [before, after] = server.requests.slice(refused).map(({ body }) => body.messages);
    expect(before).toHaveLength(8);
    expect(after).toEqual([...(before?.slice(0, 2) ?? []), ...(before?.slice(6) ?? [])]);
    // Later calls are short enough at once.
    expect(asked.filter(({ failed }) => failed !== undefined)).toHaveLength(1);
  },
);

test("E66 what is too long even so fails with its code, after two calls", async () => {
  const [[, refusal] = ["", { status: 413 }]] = REFUSALS;
  const { server, performer, attempt } = await refusing((_, index) => index > 2, refusal);
  const failure = await failureOf(performer.perform(attempt(), fakeContext()));
  expect(failure).toMatchObject({ class: "model", code: "M8125" });
  expect(failure.message).toContain("maximum context length is 8192 tokens");
  expect(server.requests.map(({ body }) => body.messages.length)).toEqual([2, 4, 6, 8, 4]);
});

test("E66 where there is no middle, there is no second call", async () => {
  const { server, performer, attempt } = await refusing(() => true, { status: 413 });
  expect(await failureOf(performer.perform(attempt(), fakeContext()))).toMatchObject({
    code: "M8125",
  });
  expect(server.requests).toHaveLength(1);
});

test("E66 a refusal for too many calls is no prompt that is too long", async () => {
  const body = { error: { message: "Too many tokens, please wait before trying again." } };
  const { performer, attempt } = await refusing(() => true, { status: 429, body });
  expect(await failureOf(performer.perform(attempt(), fakeContext()))).toMatchObject({
    class: "transport",
    code: "M8106",
  });
});

test("E66 a journal in which a call was refused is gone on with as it was", async () => {
  const { performer, attempt } = await refusing((messages) => messages > 6, { status: 413 });
  const first = fakeContext();
  await performer.perform(attempt(), first);
  for (const known of [...first.log.keys()].slice(-3)) {
    const again = fakeContext({ recorded: first.log.slice(0, known) });
    expect(await performer.perform(attempt(), again)).toBe("done");
    expect(requests(again.log).map(({ compacted, from }) => ({ compacted, from }))).toEqual(
      requests(first.log).map(({ compacted, from }) => ({ compacted, from })),
    );
  }
});

test("E66 a node with a policy of its own is cut by that, and to half as well", async () => {
  const { performer, attempt } = await refusing((messages) => messages > 6, { status: 413 });
  const context = fakeContext();
  await performer.perform(attempt({ context: { offload: 40 } }), context);
  const again = requests(context.log).find(({ compacted }) => compacted !== undefined);
  expect(again?.compacted).toMatchObject([{ policy: "too long", dropped: [[2, 6]] }]);
  expect(again?.shaped).toMatchObject({ offloaded: 3 });
});

test("W04 a model that brings a tokenizer and its size is counted by these", async () => {
  const { server, performer: _, attempt } = await refusing(() => false, { status: 413 });
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.url };
  const handle = {
    ...resolveModel("openai-compatible/tiny", { env }),
    tokenizer: async (texts: readonly string[]) => ({
      tokens: texts.map(({ length }) => length),
      contextTokens: 8_000,
    }),
  };
  const counted = createAgentPerformer({
    model: () => handle,
    tools: createToolSet(() => ({ look })),
    clock: fastClock(),
  });
  const context = fakeContext();
  await counted.perform(attempt({ context: { limit: 0.25 } }), context);
  const cut = requests(context.log).flatMap(({ compacted = [] }) => compacted);
  expect(cut.at(-1)).toMatchObject({ policy: "limit", limit: 2_000 });
  for (const { after } of cut) expect(after).toBeLessThanOrEqual(2_000);
  // Each result has 420 characters or more, and three of them fit.
  expect(server.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool")).toHaveLength(
    3,
  );
});
