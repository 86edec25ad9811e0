/** Estimates the usage of models that count nothing themselves, so that limits and tables have it. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { estimateTokens, inputTokens } from "../conversation/tokens.ts";

/** Returns what a live model would have counted, about: the tokens of messages and tools, and of what was answered. */
export function estimatedUsage(
  { prompt, tools }: Pick<LanguageModelV4CallOptions, "prompt" | "tools">,
  content: readonly LanguageModelV4Content[],
): LanguageModelV4Usage {
  const input = inputTokens(tools === undefined ? { prompt } : { prompt, tools });
  const output = content.reduce((sum, part) => sum + estimateTokens(writtenText(part)), 0);
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
}

function writtenText(part: LanguageModelV4Content): string {
  if (part.type === "text" || part.type === "reasoning") return part.text;
  return part.type === "tool-call" ? `${part.toolName} ${part.input}` : JSON.stringify(part);
}
