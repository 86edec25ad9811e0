/** The forms in which messages are read, and those in which they are written again. */
import { convertToModelMessages, type ModelMessage, modelMessageSchema, type UIMessage } from "ai";
import { expect, test } from "vitest";
import { readGivenMessages } from "../../../runtime/messages/read-given-messages.ts";
import { toAiSdk, toLangChain } from "../../../runtime/messages/write-foreign.ts";

/** One conversation, as each of the programs has it. */
const spoken = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "What is a viol?" },
  {
    role: "assistant",
    content: "I look.",
    toolCalls: [{ id: "c1", tool: "find", input: { word: "viol" } }],
  },
  { role: "tool", content: "a string instrument", toolCallId: "c1" },
  { role: "assistant", content: "It has strings." },
];

const openAi = [
  { role: "developer", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "What is a viol?" }] },
  {
    role: "assistant",
    content: "I look.",
    tool_calls: [
      { id: "c1", type: "function", function: { name: "find", arguments: '{"word":"viol"}' } },
    ],
  },
  { role: "tool", content: "a string instrument", tool_call_id: "c1" },
  { role: "assistant", content: "It has strings." },
];

const anthropic = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "What is a viol?" },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "…", signature: "s" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "c1", name: "find", input: { word: "viol" } },
    ],
  },
  {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "c1", content: "a string instrument" }],
  },
  { role: "assistant", content: "It has strings." },
];

const stored = [
  { type: "system", data: { content: "Be brief." } },
  { type: "human", data: { content: "What is a viol?", additional_kwargs: {} } },
  {
    type: "ai",
    data: {
      content: "I look.",
      additional_kwargs: {
        tool_calls: [{ id: "c1", function: { name: "find", arguments: '{"word":"viol"}' } }],
      },
    },
  },
  { type: "tool", data: { content: "a string instrument", tool_call_id: "c1", name: "find" } },
  { type: "ai", data: { content: "It has strings." } },
];

const serialized = [
  lc("SystemMessage", { content: "Be brief." }),
  lc("HumanMessage", { content: "What is a viol?" }),
  lc("AIMessageChunk", {
    content: "I look.",
    tool_calls: [{ id: "c1", name: "find", args: { word: "viol" } }],
    invalid_tool_calls: [],
  }),
  lc("ToolMessage", { content: "a string instrument", tool_call_id: "c1" }),
  lc("AIMessage", { content: "It has strings." }),
];

function lc(name: string, kwargs: object) {
  return { lc: 1, type: "constructor", id: ["langchain_core", "messages", name], kwargs };
}

const modelMessages: readonly ModelMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "What is a viol?" }] },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "…" },
      { type: "text", text: "I look." },
      { type: "tool-call", toolCallId: "c1", toolName: "find", input: { word: "viol" } },
    ],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "c1",
        toolName: "find",
        output: { type: "text", value: "a string instrument" },
      },
    ],
  },
  { role: "assistant", content: "It has strings." },
];

const uiMessages = [
  { role: "system", parts: [{ type: "text", text: "Be brief." }] },
  { role: "user", parts: [{ type: "text", text: "What is a viol?" }] },
  {
    role: "assistant",
    parts: [
      { type: "step-start" },
      { type: "text", text: "I look." },
      {
        type: "tool-find",
        toolCallId: "c1",
        state: "output-available",
        input: { word: "viol" },
        output: "a string instrument",
      },
      { type: "step-start" },
      { type: "text", text: "It has strings." },
    ],
  },
];

test.each<[string, unknown]>([
  ["our own", spoken],
  ["OpenAI's", openAi],
  ["Anthropic's", anthropic],
  ["LangChain's, stored", stored],
  ["LangChain's, serialized", serialized],
  ["the AI SDK's ModelMessage", modelMessages],
  ["the AI SDK's UIMessage", uiMessages],
  ["those that are written for LangChain", toLangChain(readGivenMessages(spoken))],
  ["those that are written for the AI SDK", toAiSdk(readGivenMessages(spoken))],
])("one conversation is read alike from the form that is %s", (_, given) => {
  expect(readGivenMessages(given)).toEqual(spoken);
});

test("the AI SDK takes what is written for it, and makes the same of a UIMessage", async () => {
  const written = toAiSdk(readGivenMessages(spoken));
  for (const message of written) modelMessageSchema.parse(message);
  const converted = await convertToModelMessages(uiMessages as UIMessage[]);
  expect(readGivenMessages(converted)).toEqual(spoken);
});

test.each([
  ["Hello", [{ role: "user", content: "Hello" }]],
  [["human", "Hello"].slice(1), [{ role: "user", content: "Hello" }]],
  [[["ai", "Hello"]], [{ role: "assistant", content: "Hello" }]],
  [
    {
      role: "user",
      content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA" } }],
    },
    [
      {
        role: "user",
        content: "",
        parts: [{ type: "file", mediaType: "image/png", url: "data:image/png;base64,AA" }],
      },
    ],
  ],
  [
    { role: "assistant", content: null, tool_calls: [{ function: { name: "f", arguments: "{" } }] },
    [
      {
        role: "assistant",
        content: "",
        toolCalls: [{ id: "call-1", tool: "f", input: "{" }],
      },
    ],
  ],
  [
    { role: "tool", tool_call_id: "c", status: "error", content: "broken" },
    [{ role: "tool", content: "broken", toolCallId: "c", isError: true }],
  ],
])("%j is read", (given, read) => {
  expect(readGivenMessages(given)).toEqual(read);
});

test.each<[unknown, string]>([
  [42, "a message is a text or an object, not 42"],
  [["a", null], "at `[1]`: a message is a text or an object, not null"],
  [{ content: "a" }, 'it has no `role`; the roles are "system", "user", "assistant", "tool"'],
  [
    { role: "boss", content: "a" },
    '"boss" is no role; the roles are "system", "user", "assistant", "tool"',
  ],
  [{ role: "user" }, "its `content` is neither a text nor a list of parts"],
  [
    [{ role: "tool", content: "a" }],
    "at `[0]`: a tool's result names the call that it answers, as `toolCallId`",
  ],
  [[["human", 1]], "at `[0]`: a list within the list is a pair of a role and a text"],
])("%j is M8690", (given, why) => {
  expect(() => readGivenMessages(given)).toThrow(
    expect.objectContaining({ code: "M8690", message: `this is no message: ${why}` }),
  );
});
