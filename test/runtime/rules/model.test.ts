import { expect, test } from "vitest";
import type { RulesReply } from "../../../runtime/agents/rules/rule.ts";
import { rules } from "../../../runtime/agents/rules/rules.ts";
import { callOptions, object, user } from "./ask.ts";

const tools = [
  { name: "search", input: object({ query: { type: "string" } }), run: () => "nothing" },
];

async function streamed(reply?: RulesReply) {
  const model = reply === undefined ? rules() : rules(() => reply);
  const options = callOptions([user("Question: Why is salt white?")], { tools });
  const { stream } = await model.doStream(options);
  const parts = [];
  for await (const part of stream) parts.push(part);
  return { parts, whole: await model.doGenerate(options) };
}

test.each<[string, RulesReply | undefined, string[]]>([
  ["a text", `${"Salt is white. ".repeat(12)}`, ["text-start", "text-delta", "text-end"]],
  ["an empty text", "", ["text-start", "text-end"]],
  [
    "calls",
    {
      calls: [
        { tool: "search", input: { query: "a" } },
        { tool: "search", input: {} },
      ],
    },
    ["tool-call", "tool-call"],
  ],
  ["JSON", { json: { salt: "white" } }, ["text-start", "text-delta", "text-end"]],
  ["the default rule", undefined, ["tool-call"]],
])("%s is streamed as it is generated", async (_, reply, kinds) => {
  const { parts, whole } = await streamed(reply);
  const inner = parts
    .map(({ type }) => type)
    .filter((type, at, all) => type !== all[at - 1] || type === "tool-call");
  expect(inner).toEqual(["stream-start", ...kinds, "finish"]);
  const text = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : [])).join("");
  const calls = parts.filter((part) => part.type === "tool-call");
  expect([...(calls.length > 0 ? calls : [{ type: "text", text }])]).toEqual(whole.content);
  expect(parts.at(-1)).toEqual({
    type: "finish",
    usage: whole.usage,
    finishReason: whole.finishReason,
  });
});

test("calls are numbered through the conversation", async () => {
  const call = { type: "tool-call" as const, toolCallId: "rules-1", toolName: "search", input: {} };
  const output = { type: "error-text" as const, value: "Error: down" };
  const result = {
    type: "tool-result" as const,
    toolCallId: "rules-1",
    toolName: "search",
    output,
  };
  const { content } = await rules(() => ({
    calls: [{ tool: "search", input: { query: "b" } }],
  })).doGenerate(
    callOptions(
      [user("?"), { role: "assistant", content: [call] }, { role: "tool", content: [result] }],
      { tools },
    ),
  );
  expect(content).toEqual([
    { type: "tool-call", toolCallId: "rules-2", toolName: "search", input: '{"query":"b"}' },
  ]);
});

test("a rule gets what a live model gets", async () => {
  const schema = object({ answer: { type: "string" } });
  const options = callOptions([user("Why?")], { tools, schema });
  let seen: unknown;
  await rules((request) => {
    seen = request;
    return "";
  }).doGenerate(options);
  expect(seen).toEqual({
    messages: options.prompt,
    tools: options.tools,
    toolChoice: { type: "auto" },
    json: true,
    schema,
  });
});

test("tokens are estimated, and a cancelled call is no answer", async () => {
  const model = rules(() => "four");
  const { usage } = await model.doGenerate(callOptions([user("x".repeat(4_000))]));
  expect(usage.inputTokens.total).toBeGreaterThan(1_000);
  expect(usage.inputTokens.total).toBeLessThan(1_100);
  const abortSignal = AbortSignal.abort(new Error("stop"));
  await expect(model.doGenerate({ ...callOptions([user("x")]), abortSignal })).rejects.toThrow(
    "stop",
  );
});
