/** Keeps what a provider signed with the provider that signed it. */
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ModelHandle } from "./model-handle.ts";

/** The key of the options of a message under which its origin stands. */
const MARK = "madrigal";

/** The origin of what a model answers. */
export function originOf({ id, origin = id }: ModelHandle): string {
  return origin;
}

/** The options that mark an answer of `origin`: a model and its address. */
export function originMark(origin: string): { readonly [MARK]: { readonly origin: string } } {
  return { [MARK]: { origin } };
}

/**
 * The messages as `origin` may see them: an answer of another one loses its reasoning and the data of its provider, and
 * keeps its texts and calls of tools.
 */
export function ownParts(prompt: LanguageModelV4Prompt, origin: string): LanguageModelV4Prompt {
  if (!prompt.some(({ providerOptions }) => providerOptions?.[MARK] !== undefined)) return prompt;
  return prompt.map((message) => {
    const from = message.providerOptions?.[MARK]?.origin;
    if (message.role !== "assistant" || from === undefined) return message;
    const { providerOptions: _, ...plain } = message;
    return from === origin ? plain : { ...plain, content: plain.content.flatMap(plainPart) };
  });
}

type AnswerPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

function plainPart(part: AnswerPart): readonly AnswerPart[] {
  if (part.type === "reasoning" || part.type === "reasoning-file" || part.type === "custom")
    return [];
  if (part.type === "text" && part.text === "") return [];
  const { providerOptions: _, ...plain } = part;
  return [plain];
}
