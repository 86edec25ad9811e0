/** Models of our own that have their whole answer at once: a web stream costs more than all the rest of such a call. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

const AT_ONCE = Symbol("atOnce");

type AnswerParts = (call: LanguageModelV4CallOptions) => readonly LanguageModelV4StreamPart[];

/** A model that answers with these parts; throws where it answers with an error. */
export function atOnce(
  model: Omit<LanguageModelV4, "doStream">,
  parts: AnswerParts,
): LanguageModelV4 {
  const whole: LanguageModelV4 = {
    ...model,
    doStream: async (call) => ({ stream: ReadableStream.from(parts(call)) }),
  };
  // Not copied with it: what is put around a model has its own `doStream` asked.
  return Object.defineProperty(whole, AT_ONCE, { value: parts });
}

/** The whole answer of such a model; `undefined` of others. */
export function partsAtOnce(
  model: LanguageModelV4,
  call: LanguageModelV4CallOptions,
): readonly LanguageModelV4StreamPart[] | undefined {
  return (model as { readonly [AT_ONCE]?: AnswerParts })[AT_ONCE]?.(call);
}
