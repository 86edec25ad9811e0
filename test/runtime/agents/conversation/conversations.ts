import type { LanguageModelV4Message } from "@ai-sdk/provider";
import fc from "fast-check";

/** What a person or the graph says. */
export const user = (text: string): LanguageModelV4Message => ({
  role: "user",
  content: [{ type: "text", text }],
});

export const answer = (text: string): LanguageModelV4Message => ({
  role: "assistant",
  content: [{ type: "text", text }],
});

export const system = (content: string): LanguageModelV4Message => ({ role: "system", content });

/** What a tool has returned: a text, JSON, or a text with an image. */
type Returned = string | { readonly value: number } | { readonly image: string };

/** A turn of tool calls at once: what the model asks for, and what came of it. */
export function calledAtOnce(
  calls: readonly (readonly [id: string, returned: Returned])[],
): readonly LanguageModelV4Message[] {
  return [
    {
      role: "assistant",
      content: calls.map(([toolCallId]) => ({
        type: "tool-call",
        toolCallId,
        toolName: "look",
        input: { at: toolCallId },
      })),
    },
    {
      role: "tool",
      content: calls.map(([toolCallId, returned]) => ({
        type: "tool-result",
        toolCallId,
        toolName: "look",
        output: outputOf(returned),
      })),
    },
  ];
}

/** A turn with one call. */
export const called = (id: string, returned: Returned) => calledAtOnce([[id, returned]]);

function outputOf(returned: Returned) {
  if (typeof returned === "string") return { type: "text" as const, value: returned };
  if ("value" in returned) return { type: "json" as const, value: { seen: returned.value } };
  const text = { type: "text" as const, text: returned.image };
  return { type: "content" as const, value: [text, image(returned.image)] };
}

/** A part that is an image. */
export const image = (data: string) => ({
  type: "file" as const,
  mediaType: "image/png",
  filename: `${data}.png`,
  data: { type: "data" as const, data },
});

/** The ids of the calls and those of the results, in order. */
export function callIds(messages: readonly LanguageModelV4Message[]) {
  const parts = messages.flatMap(({ content }): readonly object[] =>
    typeof content === "string" ? [] : content,
  );
  const of = (type: string) =>
    parts.flatMap((part) =>
      "type" in part && part.type === type && "toolCallId" in part ? [part.toolCallId] : [],
    );
  return { calls: of("tool-call"), results: of("tool-result") };
}

const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: fc.constantFrom("日", "本", "語", "한", "글", " "), maxLength: 40 }),
  fc.string({ unit: fc.constantFrom("a", "é", "7", " ", "\n", "{", "🎉"), maxLength: 200 }),
);

const returned: fc.Arbitrary<Returned> = fc.oneof(
  text,
  fc.constant("the same long text ".repeat(12)),
  fc.nat().map((value) => ({ value })),
  fc.string({ unit: "grapheme-ascii", maxLength: 5 }).map((name) => ({ image: name })),
);

type ConversationStep =
  | { readonly kind: "calls"; readonly returned: readonly Returned[] }
  | { readonly kind: "answer" | "user"; readonly text: string };

const step = fc.oneof<fc.MaybeWeightedArbitrary<ConversationStep>[]>(
  {
    weight: 4,
    arbitrary: fc
      .array(returned, { minLength: 1, maxLength: 3 })
      .map((one) => ({ kind: "calls" as const, returned: one })),
  },
  { weight: 1, arbitrary: text.map((one) => ({ kind: "answer" as const, text: one })) },
  { weight: 1, arbitrary: text.map((one) => ({ kind: "user" as const, text: one })) },
);

/** Messages of an attempt before one of its calls: the system's, the task, then turns of all kinds. */
export const conversation: fc.Arbitrary<readonly LanguageModelV4Message[]> = fc
  .tuple(text, text, fc.array(step, { maxLength: 14 }))
  .map(([first, task, steps]) => [
    system(first),
    user(task),
    ...steps.flatMap((one, at) => {
      if (one.kind !== "calls") return [one.kind === "user" ? user(one.text) : answer(one.text)];
      return calledAtOnce(one.returned.map((value, index) => [`c${at}-${index}`, value]));
    }),
  ]);
