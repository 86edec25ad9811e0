/** A model for the tests of cassettes: it says its turns in order, in pieces, as a live provider streams them. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

export interface Turn {
  readonly reasoning?: string;
  /** The pieces of its text. */
  readonly says?: readonly string[];
  readonly calls?: readonly { readonly tool: string; readonly input: unknown }[];
  /** The provider refuses the request, or cannot be reached. */
  readonly status?: number;
  /** The body of a refusal. */
  readonly body?: string;
}

export interface Talker extends LanguageModelV4 {
  readonly asked: LanguageModelV4CallOptions[];
}

export function talker(turns: readonly Turn[], modelId = "talker"): Talker {
  const left = [...turns];
  const asked: LanguageModelV4CallOptions[] = [];
  return {
    specificationVersion: "v4",
    provider: "test",
    modelId,
    supportedUrls: {},
    asked,
    doGenerate: () => Promise.reject(new Error("only streams")),
    doStream: async (call) => {
      asked.push(call);
      const turn = left.shift() ?? { says: ["nothing more"] };
      if (turn.status !== undefined) throw refusal(turn.status, turn.body ?? "no such request");
      return { stream: ReadableStream.from(partsOf(turn, asked.length)) };
    },
  };
}

function refusal(statusCode: number, responseBody: string): Error {
  return Object.assign(new Error("refused"), { statusCode, responseBody, responseHeaders: {} });
}

function partsOf(turn: Turn, number: number): LanguageModelV4StreamPart[] {
  const { reasoning, says = [], calls = [] } = turn;
  const signed = { test: { signature: `signed-${number}` } };
  const total = says.join("").length;
  return [
    { type: "stream-start", warnings: [] },
    { type: "response-metadata", id: `r-${number}`, modelId: "talker-1", timestamp: new Date() },
    ...(reasoning === undefined
      ? []
      : ([
          { type: "reasoning-start", id: "r" },
          { type: "reasoning-delta", id: "r", delta: reasoning },
          { type: "reasoning-end", id: "r", providerMetadata: signed },
        ] as const)),
    ...(says.length === 0
      ? []
      : ([
          { type: "text-start", id: "t" },
          ...says.map((delta) => ({ type: "text-delta" as const, id: "t", delta })),
          { type: "text-end", id: "t" },
        ] as const)),
    ...calls.map(({ tool, input }, index) => ({
      type: "tool-call" as const,
      toolCallId: `call-${number}-${index}`,
      toolName: tool,
      input: JSON.stringify(input),
      providerMetadata: signed,
    })),
    {
      type: "finish",
      finishReason: { unified: calls.length > 0 ? "tool-calls" : "stop", raw: "done" },
      usage: {
        inputTokens: { total: 100 + number, noCache: 90 + number, cacheRead: 10, cacheWrite: 0 },
        outputTokens: { total: total + 1, text: total, reasoning: 1 },
      },
    },
  ];
}
