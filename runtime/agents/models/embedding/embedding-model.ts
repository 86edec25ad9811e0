/**
 * Makes a language model of an embedding model: it is asked for texts, and its answer is their vectors as text. So a call of it is
 * journalled, limited, repeated, paid for and recorded as any other.
 */
import type { EmbeddingModelV4, LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider";

/** Returns whether `value` is an embedding model of the AI SDK, version 4 of its interface. */
export function isEmbeddingModel(value: unknown): value is EmbeddingModelV4 {
  return (
    typeof value === "object" &&
    value !== null &&
    "specificationVersion" in value &&
    value.specificationVersion === "v4" &&
    "doEmbed" in value &&
    typeof value.doEmbed === "function"
  );
}

/** Each text of a user in the prompt is a text to embed; a line of the answer is the vector of one of them. */
export function embeddingAsLanguageModel(model: EmbeddingModelV4): LanguageModelV4 {
  const embed: LanguageModelV4["doGenerate"] = async ({ prompt, abortSignal, headers = {} }) => {
    const sent = Object.entries(headers).filter(([, value]) => value !== undefined);
    const { embeddings, usage, warnings } = await embedAll(model, textsOf(prompt), {
      ...(abortSignal === undefined ? {} : { abortSignal }),
      headers: Object.fromEntries(sent) as Record<string, string>,
    });
    const text = embeddings.map((vector) => vectorText(Float32Array.from(vector))).join("\n");
    const tokens = usage?.tokens ?? 0;
    return {
      content: [{ type: "text", text }],
      finishReason: { unified: "stop", raw: undefined },
      usage: {
        inputTokens: { total: tokens, noCache: tokens, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 0, text: 0, reasoning: 0 },
      },
      warnings,
    };
  };
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: {},
    doGenerate: embed,
    doStream: async (call) => {
      const { content, finishReason, usage, warnings } = await embed(call);
      const [part] = content;
      const delta = part?.type === "text" ? part.text : "";
      return {
        stream: ReadableStream.from([
          { type: "stream-start" as const, warnings },
          { type: "text-start" as const, id: "0" },
          { type: "text-delta" as const, id: "0", delta },
          { type: "text-end" as const, id: "0" },
          { type: "finish" as const, finishReason, usage },
        ]),
      };
    },
  };
}

type EmbedOptions = Omit<Parameters<EmbeddingModelV4["doEmbed"]>[0], "values">;

/** Asks as often as the model's limit needs. */
async function embedAll(model: EmbeddingModelV4, texts: readonly string[], options: EmbedOptions) {
  const most = Math.max(
    1,
    Math.min((await model.maxEmbeddingsPerCall) ?? texts.length, texts.length),
  );
  let embeddings: readonly (readonly number[])[] = [];
  let tokens = 0;
  let warnings: Awaited<ReturnType<EmbeddingModelV4["doEmbed"]>>["warnings"] = [];
  for (let from = 0; from < texts.length; from += most) {
    const made = await model.doEmbed({ ...options, values: texts.slice(from, from + most) });
    embeddings = [...embeddings, ...made.embeddings];
    tokens += made.usage?.tokens ?? 0;
    warnings = [...warnings, ...made.warnings];
  }
  return { embeddings, usage: { tokens }, warnings };
}

function textsOf(prompt: LanguageModelV4Prompt): readonly string[] {
  return prompt.flatMap((message) =>
    message.role === "user"
      ? message.content.flatMap((part) => (part.type === "text" ? [part.text] : []))
      : [],
  );
}

/** A vector as the log and answers have it: its numbers of four bytes in base64. */
function vectorText(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

/** The vectors of an answer, each of length 1. */
export function vectorsIn(answer: string): readonly Float32Array[] {
  return answer.split("\n").map((line) => {
    const bytes = Uint8Array.from(Buffer.from(line, "base64"));
    return ofLengthOne(new Float32Array(bytes.buffer, 0, bytes.byteLength >> 2));
  });
}

/** A vector of zeros stays one: it is like nothing. */
function ofLengthOne(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 || !Number.isFinite(length) ? vector.fill(0) : vector.map((x) => x / length);
}
