import type { LanguageModelV4Message } from "@ai-sdk/provider";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readPolicy, shaped } from "../../../runtime/agents/conversation/context-policy.ts";
import {
  type ConversationTurn,
  estimatedTokens,
  reduced,
} from "../../../runtime/agents/conversation/history.ts";

const user = (text: string): LanguageModelV4Message => ({
  role: "user",
  content: [{ type: "text", text }],
});

const said = (text: string): LanguageModelV4Message => ({
  role: "assistant",
  content: [{ type: "text", text }],
});

/** A turn of tool calls: what the model asks for, and what came of it. */
const called = (id: string, value: string): readonly LanguageModelV4Message[] => [
  {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: id, toolName: "look", input: {} }],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: id, toolName: "look", output: { type: "text", value } },
    ],
  },
];

const conversation = (values: readonly string[]) => [
  user("Do it."),
  ...values.flatMap((value, at) => called(`c${at}`, value)),
  said("done"),
];

/** The ids of the calls and those of the results, in order. */
function ids(messages: readonly LanguageModelV4Message[]) {
  const parts = messages.flatMap(({ content }): readonly object[] =>
    typeof content === "string" ? [] : content,
  );
  const of = (type: string) =>
    parts.flatMap((part) =>
      "type" in part && part.type === type && "toolCallId" in part ? [part.toolCallId] : [],
    );
  return { calls: of("tool-call"), results: of("tool-result") };
}

test("results that are longer than so many tokens are shown by their ends", () => {
  const { messages, changes } = shaped(conversation(["x".repeat(100), "short"]), { offload: 10 });
  expect(changes).toEqual({ offloaded: 1, dropped: 0 });
  expect(JSON.stringify(messages)).toContain("characters left out");
  expect(JSON.stringify(messages)).toContain('"short"');
});

test("of many turns of tool calls the first and the last ones are shown", () => {
  const { messages, changes } = shaped(conversation(["a", "b", "c", "d", "e"]), { keep: 3 });
  expect(changes).toEqual({ offloaded: 0, dropped: 2 });
  expect(ids(messages).calls).toEqual(["c0", "c3", "c4"]);
});

test("what is short enough stays as it is", () => {
  const messages = conversation(["a"]);
  expect(shaped(messages, { offload: 100, keep: 3 })).toEqual({ messages });
});

test("a call never stands without its result, whatever is left out", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string(), { maxLength: 12 }),
      fc.nat(8),
      fc.nat(40),
      (values, keep, offload) => {
        const { calls, results } = ids(shaped(conversation(values), { keep, offload }).messages);
        expect(calls).toEqual(results);
        expect(calls.length).toBe(Math.min(values.length, keep));
      },
    ),
  );
});

const turn = fc
  .array(fc.string({ maxLength: 30 }), { maxLength: 4 })
  .map((values): ConversationTurn => conversation(values));

test("a history keeps the newest turns that fit, whole or by their two ends, in their order", () => {
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 8 }), fc.nat(600), (turns, value) => {
      const { kept, dropped } = reduced(turns, { unit: "tokens", value });
      expect(kept.length + dropped).toBe(turns.length);
      expect(kept.reduce((sum, one) => sum + estimatedTokens(one), 0)).toBeLessThanOrEqual(value);
      kept.forEach((one, at) => {
        const whole = turns[dropped + at] ?? [];
        expect([one[0], one.at(-1)]).toEqual([whole[0], whole.at(-1)]);
        const { calls, results } = ids(one);
        expect(calls).toEqual(results);
      });
    }),
  );
});

test("a history of so many turns keeps the newest", () => {
  const turns = ["a", "b", "c"].map((text): ConversationTurn => [user(text)]);
  expect(reduced(turns, { unit: "turns", value: 2 })).toEqual({ kept: turns.slice(1), dropped: 1 });
  expect(reduced(turns, { unit: "turns", value: 0 })).toEqual({ kept: [], dropped: 3 });
});

test.each([
  [{ ofload: 3 }, "`ofload: 3`"],
  [{ keep: -1 }, "`keep: -1`"],
  ["all", "no object"],
])("%j is no context", (value, shown) => {
  expect(() => readPolicy(value, "look")).toThrow(`the context of \`look\` has ${shown}`);
});
