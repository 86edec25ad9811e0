import { expect, test } from "vitest";
import { promptText } from "../../../runtime/agents/conversation/messages.ts";
import { irOf, nodeOf } from "./fake-context.ts";

function prompt(
  node: Parameters<typeof nodeOf>[0],
  texts: { system?: string; prompt?: string } = {},
) {
  const whole = nodeOf(node);
  return promptText({ node: whole, ir: irOf([whole]), ...texts });
}

test("what the model would see, as one text: its part, the schema, the prompt", () => {
  const output = { type: "array", items: { type: "string" } };
  expect(
    prompt(
      {
        name: "plan",
        description: "splits a question",
        output,
        writes: [{ field: "tasks", optional: false }],
        tools: [["docs", "*"]],
      },
      { prompt: "Split: why?" },
    ),
  ).toMatchInlineSnapshot(`
    "[system]
    You are \`plan\`, one step of the program \`Test\`. Your part: splits a question. Use the tools for what you do not know. Do what is asked and nothing else.

    When you need no more tools, answer with one JSON value only, no other text and no code fence. It must fit this JSON Schema:
    {"type":"object","properties":{"tasks":{"type":"array","items":{"type":"string"}}},"required":["tasks"],"additionalProperties":false}

    [user]
    Split: why?"
  `);
});

test("a node's own system text stands alone where a text is asked for", () => {
  expect(prompt({ output: { type: "string" } }, { system: "Be short.", prompt: "Why?" })).toBe(
    "[system]\nBe short.\n\n[user]\nWhy?",
  );
});

test("a node without a prompt is asked for what it is there for", () => {
  expect(prompt({ name: "sum", description: "adds all up" })).toContain("[user]\nadds all up");
  expect(prompt({ name: "sum" })).toContain("[user]\nsum");
});
