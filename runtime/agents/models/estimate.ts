/** Estimates what a model call will cost before it is made. */
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { jsonLength } from "./json-length.ts";
import type { ModelHandle } from "./model-handle.ts";
import { estimatedCost } from "./prices.ts";

/** Characters of a token, as JSON. */
const TOKEN_LENGTH = 4;

/**
 * Returns what a call is taken to cost, in US dollars: its messages, its tools and the form of its answer as input, and as
 * output what `maxOutputTokens` allows, where that is set. `usd` is `undefined` where the price of the model is unknown. `callOf`
 * returns the call as it is sent; it is asked for no call that costs nothing.
 */
export function estimateOf(
  { price }: ModelHandle,
  callOf: () => Pick<
    LanguageModelV4CallOptions,
    "prompt" | "tools" | "responseFormat" | "maxOutputTokens"
  >,
): { readonly usd: number | undefined } {
  if (price === undefined) return { usd: undefined };
  if (price.input === 0 && price.output === 0) return { usd: 0 };
  const { prompt, tools = [], responseFormat, maxOutputTokens } = callOf();
  const length = jsonLength(prompt) + jsonLength(tools) + jsonLength(responseFormat ?? null);
  const tokens = { prompt: Math.ceil(length / TOKEN_LENGTH), outputMax: maxOutputTokens };
  return { usd: estimatedCost(tokens, price) };
}
