/** Tells whether a value is a model of the AI SDK. */
import type { LanguageModelV4 } from "@ai-sdk/provider";

/** Returns whether `value` is a model of the AI SDK, version 4 of its interface. */
export function isLanguageModel(value: unknown): value is LanguageModelV4 {
  return (
    typeof value === "object" &&
    value !== null &&
    "specificationVersion" in value &&
    value.specificationVersion === "v4" &&
    "doStream" in value &&
    typeof value.doStream === "function"
  );
}
