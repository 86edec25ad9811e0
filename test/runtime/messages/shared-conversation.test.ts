/** What an agent is shown of a conversation: calls and results together, however it is cut and whatever is missing. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import fc from "fast-check";
import { expect, test } from "vitest";
import { reduced } from "../../../runtime/agents/conversation/history.ts";
import { piecesOf } from "../../../runtime/agents/conversation/shared-conversation.ts";
import { piecesFor, withBeginning } from "../../../runtime/agents/conversation/summarize.ts";
import { mergeMessages } from "../../../runtime/messages/merge-messages.ts";
import type { ConversationMessage, MessageWrite } from "../../../runtime/messages/message.ts";

const callId = fc.constantFrom("c1", "c2", "c3");
const content = fc.string({ maxLength: 12 });
const id = fc.nat({ max: 30 }).map((number) => `m${number}`);

/** Anything that a field may come to: calls without results, results without calls, ids that come again. */
const message: fc.Arbitrary<ConversationMessage> = fc.oneof(
  fc.record({ id, role: fc.constantFrom("user" as const, "system" as const), content }),
  fc.record({ id, role: fc.constant("assistant" as const), content, name: fc.constant("bob") }),
  fc.record({
    id,
    role: fc.constant("assistant" as const),
    content,
    toolCalls: fc
      .uniqueArray(callId, { minLength: 1, maxLength: 2 })
      .map((ids) => ids.map((one) => ({ id: one, tool: "docs.find", input: {} }))),
  }),
  fc.record({ id, role: fc.constant("tool" as const), content, toolCallId: callId }),
);

const size = fc.oneof(
  fc.constant(undefined),
  fc.record({
    unit: fc.constantFrom("messages" as const, "turns" as const, "tokens" as const),
    value: fc.nat({ max: 40 }),
  }),
);

/** Each call has its results in the message behind it, and no result stands elsewhere. */
function assertWhole(shown: readonly LanguageModelV4Message[]) {
  shown.forEach((one, index) => {
    const calls =
      one.role === "assistant"
        ? one.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []))
        : [];
    const next = shown[index + 1];
    const results =
      next?.role === "tool"
        ? next.content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : []))
        : [];
    if (calls.length > 0 || next?.role === "tool") expect(results).toEqual(calls);
  });
  expect(shown[0]?.role ?? "user").toBe("user");
}

test("no cut of a conversation parts a call of a tool from its results", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 20 }), size, fc.boolean(), (list, most, calls) => {
      const viewer = { agent: "ann", tools: [], callsTools: calls };
      const { kept, dropped } = reduced(piecesFor(list, most, viewer), most);
      const shown = withBeginning(kept.flat(), dropped);
      assertWhole(shown);
      if (!calls) expect(shown.some(({ role }) => role === "tool")).toBe(false);
      if (most?.unit === "messages") expect(kept.flat().length).toBeLessThanOrEqual(most.value);
    }),
  );
});

test("nothing of an uncut conversation is left out", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), (list) => {
      const shown = JSON.stringify(piecesOf(list, { agent: "ann", tools: [], callsTools: true }));
      for (const one of list)
        if (one.content !== "") expect(shown).toContain(JSON.stringify(one.content).slice(1, -1));
    }),
  );
});

const write: fc.Arbitrary<MessageWrite> = fc.oneof(
  message,
  fc.constantFrom("m0", "m1", "m2", "all").map((remove) => ({ remove })),
);

test("writes one by one come to the same as all at once, with each id once", () => {
  fc.assert(
    fc.property(fc.array(fc.array(write, { maxLength: 4 }), { maxLength: 5 }), (writes) => {
      const byOne = writes.reduce<readonly ConversationMessage[]>(mergeMessages, []);
      expect(byOne).toEqual(mergeMessages([], writes.flat()));
      expect(new Set(byOne.map((one) => one.id)).size).toBe(byOne.length);
    }),
  );
});

test("another agent's words have its name, one's own do not, and a tool that one lacks keeps its call", () => {
  const talk: readonly ConversationMessage[] = [
    { role: "system", content: "Be kind." },
    { role: "user", name: "Ann", content: "Hello" },
    {
      role: "assistant",
      name: "bob",
      content: "I look.",
      toolCalls: [{ id: "c1", tool: "docs.find", input: { word: "viol" } }],
    },
    { role: "tool", toolCallId: "c1", content: "found" },
    { role: "assistant", name: "cy", content: "Mine." },
  ];
  const shown = (callsTools: boolean) =>
    piecesOf(talk, { agent: "cy", tools: [], callsTools })
      .flat()
      .map(({ role, content: parts }) => [role, parts]);
  expect(shown(true)).toMatchInlineSnapshot(`
    [
      [
        "user",
        [
          {
            "text": "[system] Be kind.",
            "type": "text",
          },
        ],
      ],
      [
        "user",
        [
          {
            "text": "[Ann] Hello",
            "type": "text",
          },
        ],
      ],
      [
        "assistant",
        [
          {
            "text": "[bob] I look.",
            "type": "text",
          },
          {
            "input": {
              "word": "viol",
            },
            "toolCallId": "c1",
            "toolName": "docs_find",
            "type": "tool-call",
          },
        ],
      ],
      [
        "tool",
        [
          {
            "output": {
              "type": "text",
              "value": "found",
            },
            "toolCallId": "c1",
            "toolName": "docs_find",
            "type": "tool-result",
          },
        ],
      ],
      [
        "assistant",
        [
          {
            "text": "Mine.",
            "type": "text",
          },
        ],
      ],
    ]
  `);
  expect(shown(false).slice(2, 4)).toMatchInlineSnapshot(`
    [
      [
        "assistant",
        [
          {
            "text": "[bob] I look.
    [calls docs.find {"word":"viol"}]",
            "type": "text",
          },
        ],
      ],
      [
        "user",
        [
          {
            "text": "[result of docs.find] found",
            "type": "text",
          },
        ],
      ],
    ]
  `);
});
