/** Runs an agent with tools to its end through three protocols against a server that nobody here wrote. */
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAgentPerformer } from "../../../../../runtime/agents/agent.ts";
import { resolveModel } from "../../../../../runtime/agents/models/model.ts";
import { createToolSet, tool } from "../../../../../runtime/agents/scope/tools.ts";
import { attemptOf, fakeContext, stillClock } from "../../fake-context.ts";

const mock = new LLMock({ port: 0, logLevel: "silent" });
beforeAll(async () => {
  mock.onToolResult("call-bern", { content: "It has 21 degrees." });
  mock.addFixture({
    match: { userMessage: "warm" },
    response: { toolCalls: [{ id: "call-bern", name: "weather", arguments: '{"city":"Bern"}' }] },
  });
  await mock.start();
});
afterAll(() => mock.stop());

const weather = tool(({ city }: { city: string }) => ({ city, degrees: 21 }), {
  effect: "none",
  input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
});

test.each([
  ["openai/gpt-5", "/v1/responses"],
  ["openai-chat/gpt-4o", "/v1/chat/completions"],
  ["anthropic/claude-opus-4-6", "/v1/messages"],
  ["google/gemini-2.5-pro", "/v1beta/models/gemini-2.5-pro:streamGenerateContent"],
  ["ollama/llama3.2", "/v1/chat/completions"],
])("M22 %s asks, has its tool called, and answers", async (id, path) => {
  const env = {
    OPENAI_API_KEY: "sk-test-openai-0123",
    OPENAI_BASE_URL: `${mock.url}/v1`,
    ANTHROPIC_API_KEY: "sk-ant-test-0123",
    ANTHROPIC_BASE_URL: mock.url,
    GOOGLE_GENERATIVE_AI_API_KEY: "AIza-test-0123",
    GOOGLE_GENERATIVE_AI_BASE_URL: `${mock.url}/v1beta`,
    OLLAMA_HOST: mock.url,
  };
  mock.clearRequests();
  const handle = resolveModel(id, { env });
  const performer = createAgentPerformer({
    model: () => handle,
    tools: createToolSet(() => ({ weather })),
    clock: stillClock(),
  });
  const context = fakeContext();
  const attempt = attemptOf({ tools: [["weather"]] }, { prompt: "How warm is it?" });
  expect(await performer.perform(attempt, context)).toBe("It has 21 degrees.");
  expect(context.performed).toEqual([`model ${id}`, "tool weather", `model ${id}`]);
  expect(mock.getRequests().map((request) => request.path.split("?")[0])).toEqual([path, path]);
});
