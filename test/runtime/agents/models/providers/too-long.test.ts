/** A server that never stops talking is left, whatever it says. */
import { afterEach, expect, test } from "vitest";
import { createAgentPerformer } from "../../../../../runtime/agents/agent.ts";
import { resolveModel } from "../../../../../runtime/agents/models/model.ts";
import { createToolSet } from "../../../../../runtime/agents/scope/tools.ts";
import { compatibleChat } from "../../../../support/providers/openai-chat.ts";
import { openAiResponses } from "../../../../support/providers/openai-responses.ts";
import type { Protocol } from "../../../../support/providers/protocol.ts";
import {
  type ProtocolServer,
  protocolServer,
} from "../../../../support/providers/protocol-server.ts";
import { attemptOf, failureOf, fakeContext, stillClock } from "../../fake-context.ts";

let server: ProtocolServer;
afterEach(() => server.close());

const MEGABYTE = 1_000_000;

test.each<[string, Protocol, string]>([
  ["a line without an end", openAiResponses, "x".repeat(MEGABYTE)],
  [
    "a text without an end",
    compatibleChat,
    `data: ${JSON.stringify({ id: "1", model: "m", choices: [{ index: 0, delta: { content: "x".repeat(MEGABYTE) } }] })}\n\n`,
  ],
])("100 MB of %s end with M8132, and the connection with them", async (_, protocol, text) => {
  server = await protocolServer(protocol, [{ kind: "garbage", text, times: 100 }]);
  const env = protocol.env(server.url, "a-key-of-a-test");
  const handle = resolveModel(`${protocol.provider}/${protocol.model}`, { env });
  const performer = createAgentPerformer({
    model: () => handle,
    tools: createToolSet(() => ({})),
    clock: stillClock(),
  });
  expect(await failureOf(performer.perform(attemptOf(), fakeContext()))).toMatchObject({
    class: "model",
    code: "M8132",
    message: `the answer of \`${handle.id}\` is longer than 64 MiB`,
  });
  expect(await server.requests[0]?.closed).toBe(true);
  expect(server.requests).toHaveLength(1);
});
