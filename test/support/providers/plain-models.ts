/** Makes live models that run in the process: one says a text and counts its tokens, one refuses each call. */
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";

/** The tokens that a model says it used. */
export interface SaidTokens {
  readonly input: number;
  readonly output: number;
}

/** A model `mine/ID` that says the same each time, or by the call; 10 tokens in and 5 out unless it is told otherwise. */
export function sayingModel(
  id: string,
  says: string | ((call: LanguageModelV4CallOptions) => string | Promise<string>),
  { input, output }: SaidTokens = { input: 10, output: 5 },
): LanguageModelV4 {
  const usage = {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
  const finish = { finishReason: { unified: "stop", raw: "stop" }, usage } as const;
  return {
    ...{ specificationVersion: "v4", provider: "mine", modelId: id, supportedUrls: {} },
    doGenerate: () => Promise.reject(new Error("it streams")),
    doStream: async (call) => {
      const delta = typeof says === "string" ? says : await says(call);
      const parts = [
        { type: "text-delta", id: "1", delta },
        { type: "finish", ...finish },
      ] as const;
      return { stream: ReadableStream.from(parts) };
    },
  } as LanguageModelV4;
}

/** A model `mine/ID` that refuses the key, so that the next model of a list is asked. */
export function refusingModel(id: string): LanguageModelV4 {
  const refuse = () => Promise.reject(Object.assign(new Error("no key"), { statusCode: 401 }));
  const named = { specificationVersion: "v4", provider: "mine", modelId: id } as const;
  return { ...named, supportedUrls: {}, doGenerate: refuse, doStream: refuse };
}
