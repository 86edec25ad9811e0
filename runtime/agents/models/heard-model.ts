/** Models of our own that say the parts of an answer without a web stream, which costs more than all the rest of their call. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

const SAYS = Symbol("says");

/** Gets each part of an answer as it comes; what it throws ends the call. */
export type HearPart = (part: LanguageModelV4StreamPart) => void;

/** Makes a call and says each part of its answer; the promise, where there is one, ends with the answer. */
type SayAnswer = (call: LanguageModelV4CallOptions, hear: HearPart) => Promise<void> | undefined;

/** A model that says its answers by `says`, and by its own streams to all that are not `hearAnswer`. */
export function heardModel(model: LanguageModelV4, says: SayAnswer): LanguageModelV4 {
  // Not copied with the model: what is put around it has its own `doStream` asked.
  return Object.defineProperty({ ...model }, SAYS, { value: says });
}

/** A model that has its whole answer at once; `parts` throws where it answers with an error. */
export function atOnce(
  model: Omit<LanguageModelV4, "doStream">,
  parts: (call: LanguageModelV4CallOptions) => readonly LanguageModelV4StreamPart[],
): LanguageModelV4 {
  const streaming: LanguageModelV4 = {
    ...model,
    doStream: async (call) => ({ stream: ReadableStream.from(parts(call)) }),
  };
  return heardModel(streaming, (call, hear) => {
    for (const part of parts(call)) hear(part);
    return undefined;
  });
}

/** Asks a model and hears its answer; there is a promise where that takes time. */
export function hearAnswer(
  model: LanguageModelV4,
  call: LanguageModelV4CallOptions,
  hear: HearPart,
): Promise<void> | undefined {
  const { [SAYS]: says } = model as { readonly [SAYS]?: SayAnswer };
  return says === undefined ? hearModel(model, call, hear) : says(call, hear);
}

async function hearModel(
  model: LanguageModelV4,
  call: LanguageModelV4CallOptions,
  hear: HearPart,
): Promise<void> {
  const { stream } = await model.doStream(call);
  await hearStream(stream, hear, (fault) => fault);
}

/** Hears a stream to its end. Its own fault is thrown as `changed`; where `hear` throws, the stream is cancelled. */
export async function hearStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  hear: HearPart,
  changed: (fault: unknown) => unknown,
): Promise<void> {
  const reader = stream.getReader();
  let isHearing = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      isHearing = true;
      hear(value);
      isHearing = false;
    }
  } catch (thrown) {
    if (!isHearing) throw changed(thrown);
    await reader.cancel(thrown);
    throw thrown;
  }
}
