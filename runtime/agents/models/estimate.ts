/** Estimates what a model call will cost before it is made. */
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { inputTokens } from "../conversation/tokens.ts";
import type { ModelHandle } from "./model-handle.ts";
import { estimatedCost } from "./prices.ts";

/**
 * Returns what a call is taken to cost, in US dollars: its messages, its tools and the form of its answer as input, and as
 * output what `maxOutputTokens` allows, where that is set. `usd` is `undefined` where the price of the model is unknown. `callOf`
 * returns the call as it is sent; it is asked for no call that costs nothing. `scale` is what the provider counts for one token
 * that is estimated.
 */
export function estimateOf(
  { price }: ModelHandle,
  callOf: () => Pick<
    LanguageModelV4CallOptions,
    "prompt" | "tools" | "responseFormat" | "maxOutputTokens"
  >,
  scale = 1,
): { readonly usd: number | undefined } {
  if (price === undefined) return { usd: undefined };
  if (price.input === 0 && price.output === 0) return { usd: 0 };
  const call = callOf();
  const prompt = Math.ceil(inputTokens(call) * scale);
  return { usd: estimatedCost({ prompt, outputMax: call.maxOutputTokens }, price) };
}
